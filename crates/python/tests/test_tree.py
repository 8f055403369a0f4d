"""Tree modes against spec/tree.py, which shares no code with them; proofs."""

import importlib.util
import json
from pathlib import Path

import hashlanes
import pytest

SPEC = Path(__file__).parents[3] / "spec/tree.py"
spec = importlib.util.spec_from_file_location("spec_tree", SPEC)
oracle = importlib.util.module_from_spec(spec)
spec.loader.exec_module(oracle)

MODES = {
    "jlanes-v1-sha256-16": ({}, lambda m: oracle.j_lanes("v1", "sha256", 16, m)),
    "jpointers-v1-sha512-8": ({}, lambda m: oracle.j_pointers("v1", "sha512", 8, m)),
    "mh_sha1": ({}, oracle.mh_sha1),
    "mh_sha256": ({}, oracle.mh_sha256),
    "parallel_hash": ({}, oracle.parallel_hash),
    "fs-verity": ({"salt": b"salt"}, lambda m: oracle.fs_verity("sha256", 4096, b"salt", m)),
    "bep52": ({}, oracle.bep52_root),
    "glacier": ({}, oracle.glacier),
    "s3-composite": ({"part_size": 5000}, lambda m: oracle.s3_composite(5000, m)),
    "ssz": ({"mix_in_length": 7}, lambda m: oracle.ssz(None, 7, m)),
}


def message(n_bytes):
    return bytes(i % 251 for i in range(n_bytes))


# The oracle of mh_sha1 and mh_sha256 takes too long for more.
CASES = [(mode, n_bytes) for mode in MODES for n_bytes in (1000, 20_000, (1 << 20) + 3)[: 2 if mode[:2] == "mh" else 3]]


@pytest.mark.parametrize(("mode", "n_bytes"), CASES)
def test_modes(tmp_path, mode, n_bytes):
    (tmp_path / "file").write_bytes(message(n_bytes))
    parameters, expected = MODES[mode]
    expected = expected(message(n_bytes))
    expected = expected.hex() if isinstance(expected, bytes) else expected
    progress = []
    assert hashlanes.tree(tmp_path / "file", mode, progress=progress.append, **parameters) == expected
    assert sum(progress) == n_bytes


def test_dm_verity(tmp_path):
    (tmp_path / "file").write_bytes(message(40_960))
    expected = oracle.dm_verity_tree("sha256", 4096, b"", message(40_960))
    root = hashlanes.tree(tmp_path / "file", "dm-verity")
    assert root in json.dumps(expected, default=bytes.hex)


def test_lines(tmp_path):
    (tmp_path / "file").write_bytes(b"one\ntwo\n\nlast")
    leaves = [b"one", b"two", b"", b"last"]
    assert hashlanes.tree(tmp_path / "file", "rfc6962") == oracle.mth(leaves).hex()


def test_wrong_arguments(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"text")
    for mode, parameters, text in [
        ("sha256", {}, 'mode: unknown tree mode "sha256"; expected one of jlanes.*, fs-verity'),
        ("jlanes-v1n-sha256-4", {}, "mode: jlanes-v1n-sha256-4 is not sound"),
        ("parallel_hash", {}, "mode: message: 4 bytes"),
        ("glacier", {"salt": b""}, "salt: not a parameter of glacier"),
        ("mh_sha1", {"part_size": 5}, "part_size: not a parameter of mh_sha1"),
        ("s3-composite", {}, "part_size: needed for s3-composite"),
        ("fs-verity", {"hash": "sha1"}, 'hash: "sha1" is not defined for fs-verity'),
        ("fs-verity", {"block_size": 1000}, "^block_size: 1000"),
    ]:
        with pytest.raises(ValueError, match=text):
            hashlanes.tree(file, mode, **parameters)
    for mode, parameter in [("s3-composite", "part_size"), ("rfc6962", "leaf_size")]:
        with pytest.raises(ValueError, match=f"^{parameter}: 0; it is one byte or more"):
            hashlanes.tree(file, mode, **{parameter: 0})
    with pytest.raises(ValueError, match="^limit: 1 chunks are above the limit of 0"):
        hashlanes.tree(file, "ssz", limit=0)
    for number in (-1, 2**64):
        with pytest.raises(ValueError, match=f"^block_size: {number} is out of range"):
            hashlanes.tree(file, "fs-verity", block_size=number)
    with pytest.raises(TypeError, match="^mode: expected a string, not int"):
        hashlanes.tree(file, 5)
    with pytest.raises(TypeError, match="block_size: 'str' object cannot be interpreted as an integer"):
        hashlanes.tree(file, "fs-verity", block_size="4096")
    with pytest.raises(TypeError, match="salt: strings must be encoded"):
        hashlanes.tree(file, "fs-verity", salt="salt")
    with pytest.raises(TypeError, match="path: expected str, bytes or os.PathLike object, not int"):
        hashlanes.tree(5, "fs-verity")
    with pytest.raises(FileNotFoundError):
        hashlanes.tree(tmp_path / "missing", "glacier")


LEAVES = [bytes([i]) * i for i in range(7)]
ROOT = oracle.mth(LEAVES)


def inclusion(index=3, **changes):
    proof = {"mode": "rfc6962", "proof": "inclusion", "n_leaves": 7, "root": ROOT.hex(), "index": index}
    leaf, nodes = oracle.rfc6962_leaf(LEAVES[index]), oracle.path(index, LEAVES)
    return json.dumps(proof | {"leaf": leaf.hex(), "nodes": [node.hex() for node in nodes]} | changes)


def test_proofs_of_inclusion():
    shown = hashlanes.tree.verify_proof(inclusion(), root=ROOT, index=3, n_leaves=7)
    assert shown.startswith("leaf 3 of 7 has the digest ")
    hashlanes.tree.verify_proof(inclusion().encode(), root=ROOT.hex(), leaf=LEAVES[3])
    for proof, trusted, text in [
        (inclusion(), {"root": ROOT, "index": 4}, "index: the proof is of leaf 3, not of index 4"),
        (inclusion(), {"root": ROOT, "leaf": b"other"}, "leaf: the proof is of another leaf than leaf"),
        (inclusion(), {"root": ROOT, "leaf": LEAVES[3] + b"\n"}, "without the newline at its end"),
        (inclusion(), {"root": bytes(32), "index": 3}, "root: the proof is of a tree with another root than root"),
        (inclusion(), {"root": ROOT, "index": 3, "n_leaves": 8}, "of a tree of 7 leaves, not of 8"),
        (inclusion(), {"root": ROOT}, "give the leaf that is to be proved by leaf or index"),
    ]:
        with pytest.raises(hashlanes.VerificationError, match=text):
            hashlanes.tree.verify_proof(proof, **trusted)
    for proof, text in [("{}", "mode: is missing"), ("no JSON", "not a proof"), (inclusion(extra=1), "unknown field")]:
        with pytest.raises(hashlanes.FormatError, match=text):
            hashlanes.tree.verify_proof(proof, root=ROOT, index=3)
    for argument in ("index", "n_leaves"):
        with pytest.raises(TypeError, match=f"^{argument}: 'float' object cannot be interpreted as an integer"):
            hashlanes.tree.verify_proof(inclusion(), root=ROOT, **{argument: 1.5})
        for number in (-1, 2**64):
            with pytest.raises(ValueError, match=f"^{argument}: {number} is out of range"):
                hashlanes.tree.verify_proof(inclusion(), root=ROOT, **{argument: number})
    with pytest.raises(ValueError, match="root: not 32 bytes, nor 64 hexadecimal digits"):
        hashlanes.tree.verify_proof(inclusion(), root="5a", index=3)


def test_proofs_of_consistency():
    first = oracle.mth(LEAVES[:3])
    nodes = [node.hex() for node in oracle.proof(3, LEAVES)]
    proof = {"mode": "rfc6962", "proof": "consistency", "n_leaves": 7, "root": ROOT.hex(), "first": 3, "nodes": nodes}
    shown = hashlanes.tree.verify_proof(json.dumps(proof), root=first, new_root=ROOT)
    assert shown.startswith("the tree of 7 leaves")
    with pytest.raises(hashlanes.VerificationError, match="another root than new_root"):
        hashlanes.tree.verify_proof(json.dumps(proof), root=first, new_root=bytes(32))
