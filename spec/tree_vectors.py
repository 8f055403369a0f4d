"""Which vectors of the tree modes are published, and how they are written and checked: the program behind tree.py.

A table holds the vectors of like modes: rows of named inputs and named results. A result of `None` says that the mode
refuses the inputs. vectors/tree.json has every row of `all_inputs`; vectors/tree-outside.json has rows of the same
tables with the tool that computed them, and perhaps only some of the results.
"""

import hashlib
import json
import pathlib
import re
import sys

import tree

FOLDER = pathlib.Path(__file__).parent / "vectors"
OWN = FOLDER / "tree.json"
OUTSIDE = FOLDER / "tree-outside.json"
MESSAGE_RULE = "byte i is i mod 251"
KIB = 1024
MIB = 1024 * KIB

CT_LEAVES = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]


def message(length):
    """251 is prime: no block, word or chunk begins as its neighbours do."""
    return (bytes(range(251)) * (length // 251 + 1))[:length]


# The tables -----------------------------------------------------------------------------------------------------------

LANES_NAME = re.compile(r"(jlanes|jpointers)-(v1|v1s|v1n)-(sha[0-9]+)-([0-9]+)")
OTHERS = {
    "mh_sha1": tree.mh_sha1,
    "mh_sha256": tree.mh_sha256,
    "parallel_hash": tree.parallel_hash,
    "glacier": tree.glacier,
}


def lanes_mode(mode):
    """`jlanes-v1-sha256-16` -> (`jlanes`, `v1`, `sha256`, 16)"""
    form, version, hash_name, j = LANES_NAME.fullmatch(mode).groups()
    return form, version, hash_name, int(j)


def digest_row(mode, length):
    if mode in OTHERS:
        return (OTHERS[mode](message(length)).hex(),)
    form, version, hash_name, j = lanes_mode(mode)
    function = {"jlanes": tree.j_lanes, "jpointers": tree.j_pointers}[form]
    return (function(version, hash_name, j, message(length)).hex(),)


def scattered_row(mode, slices):
    """The slices, one after the other, are the message."""
    _, version, hash_name, j = lanes_mode(mode)
    assert len(slices) == j, f"{mode} with {len(slices)} slices"
    whole, starts = message(sum(slices)), [sum(slices[:i]) for i in range(j)]
    parts = [whole[start : start + length] for start, length in zip(starts, slices)]
    return (tree.j_pointers_scattered(version, hash_name, parts).hex(),)


def top_first(levels):
    return b"".join(reversed(levels))


def fs_verity_row(hash, block_size, salt, length):
    inputs = (hash, block_size, bytes.fromhex(salt), message(length))
    levels, root = tree.fs_verity_tree(*inputs)
    return root.hex(), tree.fs_verity(*inputs).hex(), tree.sha256(top_first(levels)).hex()


def dm_verity_row(hash, block_size, salt, uuid, length):
    salt = bytes.fromhex(salt)
    _, root = tree.dm_verity_tree(hash, block_size, salt, message(length))
    hash_file = tree.dm_verity_hash_file(hash, block_size, salt, uuid, message(length))
    return root.hex(), tree.sha256(hash_file).hex()


def bep52_row(piece_length, length):
    layer = tree.bep52_piece_layer(piece_length, message(length))
    return tree.bep52_root(message(length)).hex(), b"".join(layer).hex()


def leaves(leaf_size, length):
    return tree.pieces(message(length), leaf_size)


def hexadecimal(nodes):
    return [node.hex() for node in nodes]


# name: (inputs, results, the function of the inputs that gives the results)
TABLES = {
    "digests": (("mode", "length"), ("digest",), digest_row),
    "scattered": (("mode", "slices"), ("digest",), scattered_row),
    "fs-verity": (("hash", "block_size", "salt", "length"), ("root", "digest", "tree_sha256"), fs_verity_row),
    "dm-verity": (("hash", "block_size", "salt", "uuid", "length"), ("root", "hash_file_sha256"), dm_verity_row),
    "bep52": (("piece_length", "length"), ("root", "piece_layer"), bep52_row),
    "s3-composite": (
        ("part_size", "length"),
        ("checksum",),
        lambda part_size, length: (tree.s3_composite(part_size, message(length)),),
    ),
    "rfc6962": (
        ("leaf_size", "length"),
        ("root",),
        lambda leaf_size, length: (tree.mth(leaves(leaf_size, length)).hex(),),
    ),
    "rfc6962-leaves": (
        ("leaves",),
        ("root",),
        lambda leaves: (tree.mth([bytes.fromhex(leaf) for leaf in leaves]).hex(),),
    ),
    "rfc6962-inclusion": (
        ("leaf_size", "length", "index"),
        ("proof",),
        lambda leaf_size, length, index: (hexadecimal(tree.path(index, leaves(leaf_size, length))),),
    ),
    "rfc6962-consistency": (
        ("leaf_size", "length", "first"),
        ("proof",),
        lambda leaf_size, length, first: (hexadecimal(tree.proof(first, leaves(leaf_size, length))),),
    ),
    "ssz": (
        ("limit", "mix_in_length", "length"),
        ("root",),
        lambda limit, mix_in_length, length: (tree.ssz(limit, mix_in_length, message(length)).hex(),),
    ),
}


def results_of(table, row):
    """The named results of a row's inputs."""
    inputs, results, function = TABLES[table]
    try:
        values = function(**{name: row[name] for name in inputs})
    except tree.Refused:
        values = (None,) * len(results)
    return dict(zip(results, values, strict=True))


# Inputs: which lengths, and why ---------------------------------------------------------------------------------------


def around(*numbers):
    """Each number, the one below and the one above."""
    return {number + difference for number in numbers for difference in (-1, 0, 1)}


def lane_lengths(hash_name, j):
    """Partial words and rows of words; the lengths at which the lanes' padding needs one block more; whole blocks."""
    block, word = tree.block_bytes(hash_name), tree.word_bytes(hash_name)
    first_padding = {64: range(55 * j, 65 * j + 1), 128: range(111 * j, 129 * j + 1)}[block]
    lengths = {0, 1, 3, 4, 5, MIB} | set(first_padding)
    lengths |= around(word, 4 * j, word * j, 64 * j, block * j, 2 * block * j, 3 * block * j, 16 * block * j)
    return sorted(lengths)


def few_lengths(hash_name, j):
    block = tree.block_bytes(hash_name)
    return sorted({0, 1, 5, 1000, MIB} | around(block * j, 2 * block * j))


def multi_hash_lengths():
    """Partial words and rows; the lengths at which the padding needs one 1024-byte block more."""
    return sorted({0, 1, 3, 4, 5, MIB} | around(64, 256, 1024, 2048, 3 * 1024) | set(range(880, 1041)) | {2039, 2040})


def parallel_hash_lengths():
    """Too short, the first lengths, and both sides of the lengths at which the slices grow by a block."""
    steps = [8 * (128 * alpha + 111) for alpha in (1, 2, 3, 100)]
    return sorted({0, 887, 888, 889, 895, 896, 1000, MIB} | around(*steps))


def digest_inputs():
    for form in ("jlanes", "jpointers"):
        for hash_name in tree.HASHES:
            for j in (4, 8, 16):
                for length in lane_lengths(hash_name, j):
                    yield {"mode": f"{form}-v1-{hash_name}-{j}", "length": length}
        for version in ("v1s", "v1n"):
            for hash_name in tree.HASHES:
                for j in (4, 8, 16):
                    for length in few_lengths(hash_name, j):
                        yield {"mode": f"{form}-{version}-{hash_name}-{j}", "length": length}
        for hash_name in tree.HASHES:
            for j in (1, 2, 3, 5, 32, 255):
                for length in (0, 1, 1000, 100_000):
                    yield {"mode": f"{form}-v1-{hash_name}-{j}", "length": length}
    for mode in ("mh_sha1", "mh_sha256"):
        for length in multi_hash_lengths():
            yield {"mode": mode, "length": length}
    for length in parallel_hash_lengths():
        yield {"mode": "parallel_hash", "length": length}
    for length in sorted({0, 1, 10 * MIB + 1} | around(*[n * MIB for n in (1, 2, 3, 4, 5, 7, 8)])):
        yield {"mode": "glacier", "length": length}


def scattered_inputs():
    """Empty slices first, within and last; one much longer than the others; equal ones; the paddings' edges."""
    for hash_name in tree.HASHES:
        for slices in ([0, 0, 0, 0], [0, 1, 64, 200], [5000, 0, 3, 0], [128] * 4, [55, 56, 111, 112], [1] * 8):
            yield {"mode": f"jpointers-v1-{hash_name}-{len(slices)}", "slices": slices}
        yield {"mode": f"jpointers-v1-{hash_name}-16", "slices": [n * n for n in range(16)]}


def tree_of_blocks_lengths(hash_name, block_size):
    """One block and two; a level that just fills one block, then two; three levels where 600,000 bytes make them."""
    per_block = block_size // hashlib.new(hash_name).digest_size
    wanted = around(block_size, 2 * block_size, per_block * block_size, (per_block + 1) * block_size)
    return sorted(length for length in wanted | {0, 1, 600_000, MIB} if length <= MIB + block_size)


def fs_verity_inputs():
    for hash_name in ("sha256", "sha512"):
        for block_size in (1024, 4096, 65536):
            for salt in ("", "0102030405", message(32).hex()):
                for length in tree_of_blocks_lengths(hash_name, block_size):
                    yield {"hash": hash_name, "block_size": block_size, "salt": salt, "length": length}


DM_VERITY_UUID = "01234567-89ab-cdef-0123-456789abcdef"


def dm_verity_inputs():
    """SHA-1's and SHA-384's digests are no power of two long. 0 and 4095 bytes are refused."""
    for hash_name in tree.HASHES:
        for salt in ("", "0102030405", message(32).hex()):
            for uuid in (DM_VERITY_UUID, None):
                for n_blocks in (1, 2, 64, 65, 128, 129, 200, 256):
                    yield dm_verity_input(hash_name, 4096, salt, uuid, 4096 * n_blocks)
    for block_size in (1024, 65536):
        for n_blocks in (1, 2, 16):
            yield dm_verity_input("sha256", block_size, message(32).hex(), DM_VERITY_UUID, block_size * n_blocks)
    for length in (0, 1, 4095, 4097):
        yield dm_verity_input("sha256", 4096, "", None, length)


def dm_verity_input(hash_name, block_size, salt, uuid, length):
    return {"hash": hash_name, "block_size": block_size, "salt": salt, "uuid": uuid, "length": length}


def bep52_inputs():
    """Blocks and pieces that are whole, short by one byte and long by one; 3 and 5 pieces are padded."""
    for piece_length in (16 * KIB, 32 * KIB, 64 * KIB):
        lengths = around(16 * KIB, piece_length, 2 * piece_length, 3 * piece_length, 5 * piece_length)
        for length in sorted(lengths | {0, 1, 600_000, MIB}):
            yield {"piece_length": piece_length, "length": length}


def s3_composite_inputs():
    for part_size in (1000, 64 * KIB, 5 * MIB):
        for length in sorted(around(part_size, 3 * part_size) | {0, 1, MIB}):
            yield {"part_size": part_size, "length": length}


def rfc6962_inputs():
    """Every number of leaves up to 33; a last leaf shorter than the others; many leaves."""
    for n in range(34):
        yield {"leaf_size": 10, "length": 10 * n}
    for leaf_size, length in ((10, 1), (10, 11), (64, 999), (1, 255), (64, MIB), (4096, MIB), (4096, MIB + 1)):
        yield {"leaf_size": leaf_size, "length": length}


def rfc6962_proof_inputs(name, first, beyond):
    """Of every leaf, or tree of first leaves, of small trees, and of the first, middle and last of greater ones.

    `beyond` n is refused.
    """
    for n in range(1, 10):
        for value in range(first, n + first):
            yield {"leaf_size": 10, "length": 10 * n - 3, name: value}
    for n in (16, 17, 31, 32, 33, 1000):
        for value in sorted({first, n // 2, n // 2 + 1, n - 2 + first, n - 1 + first}):
            yield {"leaf_size": 10, "length": 10 * n - 3, name: value}
    yield {"leaf_size": 10, "length": 50, name: 5 + beyond}


def ssz_inputs():
    """Roots of nothing under each limit are the published zero hashes; 2 chunks under a limit of 1 are refused."""
    for depth in [*range(33), 40, 63]:
        yield {"limit": 1 << depth, "mix_in_length": None, "length": 0}
    for length in (0, 1, 31, 32, 33, 64, 65, 96, 128, 129, 1000, 4096, MIB):
        for limit in (None, 0, 1, 3, 128, 1 << 40):
            for mix_in_length in (None, length):
                yield {"limit": limit, "mix_in_length": mix_in_length, "length": length}
    yield {"limit": 128, "mix_in_length": (1 << 64) - 1, "length": 1000}


def all_inputs():
    """The rows of every table, without results."""
    return {
        "digests": digest_inputs(),
        "scattered": scattered_inputs(),
        "fs-verity": fs_verity_inputs(),
        "dm-verity": dm_verity_inputs(),
        "bep52": bep52_inputs(),
        "s3-composite": s3_composite_inputs(),
        "rfc6962": rfc6962_inputs(),
        "rfc6962-leaves": ({"leaves": CT_LEAVES[:n]} for n in range(9)),
        "rfc6962-inclusion": rfc6962_proof_inputs("index", 0, 0),
        "rfc6962-consistency": rfc6962_proof_inputs("first", 1, 1),
        "ssz": ssz_inputs(),
    }


# Files ----------------------------------------------------------------------------------------------------------------


def text_of(source, tables):
    """The file's text: a head of three fields, then every table, a row a line."""
    head = {"kind": "tree", "source": source, "message": MESSAGE_RULE}
    parts = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    for name in TABLES:
        rows = ",\n".join(json.dumps(row) for row in tables.get(name, []))
        parts.append(f"{json.dumps(name)}: [" + (f"\n{rows}\n" if rows else "") + "]")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def own_text():
    tables = {
        table: [row | results_of(table, row) for row in rows]
        for table, rows in all_inputs().items()
    }
    return text_of("spec/tree.py", tables)


def write(path, text):
    path.write_text(text, encoding="ascii", newline="\n")


def read(path):
    try:
        return path.read_text(encoding="ascii")
    except OSError as error:
        sys.exit(str(error))


# Checks: each yields a line for every fault, and counts what it looked at ---------------------------------------------


def faults_of_own_file():
    """The file has the computed lines, no others, in their order."""
    computed, kept = own_text().splitlines(), read(OWN).splitlines()
    for number, (line, expected) in enumerate(zip(kept, computed), start=1):
        if line != expected:
            yield f"{OWN.name}:{number}: is  {line}"
            yield f"{OWN.name}:{number}: not {expected}"
    if len(kept) != len(computed):
        yield f"{OWN.name}: {len(kept)} lines, not {len(computed)}"


def faults_of_outside_file():
    """What foreign tools computed is computed here too."""
    tables = json.loads(read(OUTSIDE))
    for table, (inputs, results, _) in TABLES.items():
        for row in tables[table]:
            computed = results_of(table, row)
            given = {name: row[name] for name in results if name in row}
            if not given or set(row) != {"tool", "arguments", *inputs, *given}:
                yield f"{OUTSIDE.name}: {table}: fields {sorted(row)}"
            for name, value in given.items():
                if value != computed[name]:
                    about = {name: row[name] for name in inputs}
                    yield f"{OUTSIDE.name}: {table}: {about}: {name} is {value} by {row['tool']}, {computed[name]} here"


def faults_of_compression():
    """The compression functions of mh_sha1 and mh_sha256, one padded block, against the hash library."""
    padded = b"abc\x80" + bytes(59) + b"\x18"
    for name, initial, compress in (
        ("sha1", tree.SHA1_INITIAL, tree.sha1_compress),
        ("sha256", tree.SHA256_INITIAL, tree.sha256_compress),
    ):
        state = compress(initial, padded)
        if b"".join(tree.u32be(word) for word in state) != tree.digest(name, b"abc"):
            yield f"{name}_compress is wrong"


def wrong_proofs(nodes):
    """One node too few, one too many, one bit of a node flipped."""
    yield nodes + [bytes(32)]
    for n, node in enumerate(nodes):
        yield nodes[:n] + nodes[n + 1 :]
        yield nodes[:n] + [bytes([node[0] ^ 1]) + node[1:]] + nodes[n + 1 :]


def faults_of_proofs():
    """Every proof of every tree of 1 to 20 leaves holds; wrong ones, and right ones for another place, do not.

    A proof may hold for some other sizes of the tree, where leaf and root are equally far apart: not for four times n.
    """
    d = [bytes([n]) for n in range(20)]
    roots = [tree.mth(d[:n]) for n in range(21)]
    for n in range(1, 21):
        for m in range(n):
            nodes, leaf = tree.path(m, d[:n]), tree.rfc6962_leaf(d[m])
            claims = [(m, n, nodes, True), ((m + 1) % n, n, nodes, n == 1)]
            claims += [(n, n, nodes, False), (m, 4 * n, nodes, False)]
            claims += [(m, n, wrong, False) for wrong in wrong_proofs(nodes)]
            for index, size, claimed, expected in claims:
                if tree.inclusion_holds(leaf, index, size, claimed, roots[n]) != expected:
                    yield f"inclusion of leaf {m} of {n}, as {index} of {size}: not {expected}"
        for m in range(1, n + 1):
            nodes = tree.proof(m, d[:n])
            claims = [(m, n, nodes, True), (0, n, nodes, False), (n + 1, n, nodes, False), (m, 4 * n, nodes, False)]
            claims += [(m, n, wrong, False) for wrong in wrong_proofs(nodes)]
            for first, second, claimed, expected in claims:
                if tree.consistency_holds(first, second, claimed, roots[m], roots[n]) != expected:
                    yield f"consistency of {m} and {n}, as {first} and {second}: not {expected}"


def check():
    faults = []
    for found in (faults_of_compression(), faults_of_proofs(), faults_of_own_file(), faults_of_outside_file()):
        faults += found
    for fault in faults[:20]:
        print(fault)
    if faults:
        print(f"{len(faults)} faults; if the specification was meant to change: python3 spec/tree.py --write")
    return 1 if faults else 0


def main(arguments):
    if arguments == ["--write"]:
        write(OWN, own_text())
        return 0
    if arguments == ["--check"]:
        return check()
    print(tree.__doc__)
    return 2
