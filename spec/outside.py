#!/usr/bin/env python3
"""Asks foreign tools for results of the tree modes, and writes them to vectors/tree-outside.json.

usage: outside.py [TOOL...]

Without TOOL all are asked; with it the others' rows stay as they are. Rows of libisal_crypto and s2n-tls-sys always
stay: their functions are no tool that could be asked; they were called once, and what they computed is kept. No test
runs this script; what it wrote is compared with the specification by `tree.py --check`.

| TOOL | what must be installed |
|---|---|
| fsverity | fsverity-utils: Debian's package fsverity |
| veritysetup | Debian's package cryptsetup-bin |
| libtorrent, botocore, remerkleable | the Python packages of these names, where this script runs |
| tlog | Go; it fetches the module golang.org/x/mod |
| ct | nothing: the leaves and roots that the tests of Certificate Transparency's implementations share |
"""

import argparse
import importlib.metadata
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from tree_vectors import CT_LEAVES, DM_VERITY_UUID, KIB, MIB, OUTSIDE, TABLES, message, read, text_of, write

SALTS = ("", "0102030405", message(32).hex())


def run(*command, **options):
    """A command's output. If it cannot be run, or fails, that is the end."""
    command = [str(part) for part in command]
    try:
        done = subprocess.run(command, text=True, capture_output=True, **options)
    except OSError as error:
        sys.exit(f"{command[0]}: {error}")
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def sha256_of(path):
    return run("sha256sum", path).split()[0]


def argument_text(options):
    return " ".join(options)


# Each function yields (table, row) and may use the folder `scratch` ---------------------------------------------------


def fsverity(scratch):
    """`fsverity digest`: the root is in the descriptor's bytes 16 to 79."""
    tool = "fsverity-utils " + run("fsverity", "--version").split()[1].lstrip("v")
    lengths = [0, 1, 1023, 1024, 1025, 4095, 4096, 4097, 65535, 65536, 65537]
    lengths += [128 * 4096 - 1, 128 * 4096, 128 * 4096 + 1, 600_000]
    data, tree, descriptor = scratch / "data", scratch / "tree", scratch / "descriptor"
    for hash_name, digest_bytes in (("sha256", 32), ("sha512", 64)):
        for block_size in (1024, 4096, 65536):
            for salt in SALTS:
                for length in lengths:
                    data.write_bytes(message(length))
                    options = ["digest", f"--hash-alg={hash_name}", f"--block-size={block_size}"]
                    options += [f"--salt={salt}"] if salt else []
                    files = [f"--out-merkle-tree={tree}", f"--out-descriptor={descriptor}", "--compact", data]
                    yield "fs-verity", {
                        "tool": tool,
                        "arguments": argument_text(options),
                        "hash": hash_name,
                        "block_size": block_size,
                        "salt": salt,
                        "length": length,
                        "digest": run("fsverity", *options, *files).strip(),
                        "root": descriptor.read_bytes()[16 : 16 + digest_bytes].hex(),
                        "tree_sha256": sha256_of(tree),
                    }


def veritysetup(scratch):
    """`veritysetup format` on plain files; the hash device is a file too."""
    tool = " ".join(run("veritysetup", "--version").split()[:2])
    cases = [(hash_name, 4096, (1, 2, 128, 129, 200)) for hash_name in ("sha256", "sha512")]
    cases += [(hash_name, 4096, (1, 2, 64, 65, 129)) for hash_name in ("sha1", "sha384")]
    # One block of 65536 bytes is left out: the tool then cuts the superblock's block, and so its file, to 4096 bytes.
    cases += [("sha256", 1024, (1, 2, 16, 33)), ("sha256", 65536, (2, 16))]
    data, hashes = scratch / "data", scratch / "hashes"
    for hash_name, block_size, counts in cases:
        for salt in SALTS:
            for uuid in (DM_VERITY_UUID, None):
                for n_blocks in counts:
                    data.write_bytes(message(n_blocks * block_size))
                    hashes.unlink(missing_ok=True)
                    options = [f"--hash={hash_name}", f"--data-block-size={block_size}"]
                    options += [f"--hash-block-size={block_size}", f"--salt={salt or '-'}"]
                    options += [f"--uuid={uuid}"] if uuid else ["--no-superblock"]
                    told = run("veritysetup", "format", data, hashes, *options)
                    yield "dm-verity", {
                        "tool": tool,
                        "arguments": argument_text(["format", *options]),
                        "hash": hash_name,
                        "block_size": block_size,
                        "salt": salt,
                        "uuid": uuid,
                        "length": n_blocks * block_size,
                        "root": re.search(r"Root hash:\s+([0-9a-f]+)", told)[1],
                        "hash_file_sha256": sha256_of(hashes),
                    }


def libtorrent(scratch):
    """A torrent of one file, version 2 only: `pieces root` and `piece layers`."""
    import libtorrent as lt

    data = scratch / "data"
    for piece_length in (16 * KIB, 32 * KIB, 64 * KIB):
        for length in (1, 16383, 16384, 16385, 32768, 32769, 49157, 65536, 65537, 81920, 131073, 600_000, MIB):
            data.write_bytes(message(length))
            files = lt.list_files(str(data))
            torrent = lt.create_torrent(files, piece_length, lt.create_torrent.v2_only)
            lt.set_piece_hashes(torrent, str(scratch))
            content = torrent.generate()
            assert content[b"info"][b"piece length"] == piece_length
            root = content[b"info"][b"file tree"][b"data"][b""][b"pieces root"]
            yield "bep52", {
                "tool": f"libtorrent {lt.__version__}",
                "arguments": f"create_torrent(files, {piece_length}, v2_only)",
                "piece_length": piece_length,
                "length": length,
                "root": root.hex(),
                "piece_layer": content.get(b"piece layers", {}).get(root, b"").hex(),
            }


def botocore(_scratch):
    from botocore.utils import calculate_tree_hash

    for length in (0, 1, *(n * MIB + d for n in (1, 2, 3, 5, 6, 7, 8) for d in (-1, 0, 1))):
        yield "digests", {
            "tool": f"botocore {importlib.metadata.version('botocore')}",
            "arguments": "botocore.utils.calculate_tree_hash(body)",
            "mode": "glacier",
            "length": length,
            "digest": calculate_tree_hash(io.BytesIO(message(length))),
        }


def remerkleable(_scratch):
    """Zero hashes; vectors and lists of bytes, whose limit is in bytes there and in chunks here."""
    from remerkleable.byte_arrays import ByteList, ByteVector
    from remerkleable.tree import zero_hashes

    tool = f"remerkleable {importlib.metadata.version('remerkleable')}"

    def row(arguments, limit, mix_in_length, length, root):
        inputs = {"limit": limit, "mix_in_length": mix_in_length, "length": length}
        return "ssz", {"tool": tool, "arguments": arguments, **inputs, "root": bytes(root).hex()}

    for depth in range(64):
        yield row(f"zero_hashes[{depth}]", 1 << depth, None, 0, zero_hashes[depth])
    for length in (1, 31, 32, 33, 64, 65, 96, 97, 128, 129, 1000, 4096, 50_000):
        vector = ByteVector[length](message(length))
        yield row(f"ByteVector[{length}]", None, None, length, vector.hash_tree_root())
    for length in (0, 1, 31, 32, 33, 64, 65, 129, 1000, 50_000):
        for limit in (length or 1, 65_536, 1 << 32):
            listed = ByteList[limit](message(length))
            yield row(f"ByteList[{limit}]", -(-limit // 32), length, length, listed.hash_tree_root())


# Reads a JSON list of {leaves in hexadecimal, indices, firsts}; writes the list of their roots and proofs.
TLOG = """
package main

import (
	"encoding/hex"
	"encoding/json"
	"os"

	"golang.org/x/mod/sumdb/tlog"
)

type Log struct {
	Leaves  []string
	Indices []int64
	Firsts  []int64
}

type Answer struct {
	Root        string     `json:"root"`
	Inclusion   [][]string `json:"inclusion"`
	Consistency [][]string `json:"consistency"`
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func hexadecimal(hashes []tlog.Hash) []string {
	digits := []string{}
	for _, hash := range hashes {
		digits = append(digits, hex.EncodeToString(hash[:]))
	}
	return digits
}

func answer(log Log) Answer {
	var stored []tlog.Hash
	reader := tlog.HashReaderFunc(func(indexes []int64) ([]tlog.Hash, error) {
		hashes := []tlog.Hash{}
		for _, index := range indexes {
			hashes = append(hashes, stored[index])
		}
		return hashes, nil
	})
	n := int64(len(log.Leaves))
	for i, leaf := range log.Leaves {
		stored = append(stored, must(tlog.StoredHashes(int64(i), must(hex.DecodeString(leaf)), reader))...)
	}
	answer := Answer{Inclusion: [][]string{}, Consistency: [][]string{}}
	answer.Root = hexadecimal([]tlog.Hash{must(tlog.TreeHash(n, reader))})[0]
	for _, index := range log.Indices {
		answer.Inclusion = append(answer.Inclusion, hexadecimal(must(tlog.ProveRecord(n, index, reader))))
	}
	for _, first := range log.Firsts {
		answer.Consistency = append(answer.Consistency, hexadecimal(must(tlog.ProveTree(n, first, reader))))
	}
	return answer
}

func main() {
	var logs []Log
	if err := json.NewDecoder(os.Stdin).Decode(&logs); err != nil {
		panic(err)
	}
	answers := []Answer{}
	for _, log := range logs {
		answers = append(answers, answer(log))
	}
	json.NewEncoder(os.Stdout).Encode(answers)
}
"""
TLOG_VERSION = "v0.42.0"


def tlog(scratch):
    """Go's transparent log, golang.org/x/mod/sumdb/tlog: roots, and both kinds of proofs."""
    (scratch / "main.go").write_text(TLOG)
    run("go", "mod", "init", "outside", cwd=scratch)
    run("go", "get", f"golang.org/x/mod@{TLOG_VERSION}", cwd=scratch)
    tool = f"golang.org/x/mod/sumdb/tlog {TLOG_VERSION}"
    leaf_size = 10
    lengths = [leaf_size * n - 3 for n in range(1, 34)] + [0, leaf_size * 100, leaf_size * 1000 + 1]
    logs = [log_of(leaf_size, length) for length in lengths]
    answers = json.loads(run("go", "run", ".", cwd=scratch, input=json.dumps(logs)))
    for length, log, answer in zip(lengths, logs, answers, strict=True):
        place = {"leaf_size": leaf_size, "length": length}
        n = len(log["leaves"])
        yield "rfc6962", {"tool": tool, "arguments": f"TreeHash({n})"} | place | {"root": answer["root"]}
        for index, proof in zip(log["indices"], answer["inclusion"], strict=True):
            about = {"tool": tool, "arguments": f"ProveRecord({n}, {index})"}
            yield "rfc6962-inclusion", about | place | {"index": index, "proof": proof}
        for first, proof in zip(log["firsts"], answer["consistency"], strict=True):
            about = {"tool": tool, "arguments": f"ProveTree({n}, {first})"}
            yield "rfc6962-consistency", about | place | {"first": first, "proof": proof}


def log_of(leaf_size, length):
    """Every proof of trees up to 9 leaves, a few of the others."""
    whole = message(length)
    leaves = [whole[start : start + leaf_size].hex() for start in range(0, length, leaf_size)]
    n = len(leaves)
    indices = range(n) if n < 10 else sorted({0, n // 2, n - 2, n - 1})
    return {"leaves": leaves, "indices": list(indices), "firsts": [index + 1 for index in indices]}


CT_ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)


def ct(_scratch):
    """Published, not computed: the root over the first n of eight leaves, n = 0 ... 8."""
    for n, root in enumerate(CT_ROOTS):
        yield "rfc6962-leaves", {
            "tool": "Certificate Transparency, merkle_tree_test",
            "arguments": f"the first {n} leaves",
            "leaves": CT_LEAVES[:n],
            "root": root,
        }


ALL = (fsverity, veritysetup, libtorrent, botocore, remerkleable, tlog, ct)
TOOLS = {tool.__name__: tool for tool in ALL}

# Whose rows a tool's are, as the field `tool` begins.
NAMES = {
    "fsverity": "fsverity-utils ",
    "tlog": "golang.org/x/mod/sumdb/tlog ",
    "ct": "Certificate Transparency",
}


def kept_rows(asked):
    """The file's rows but those of the tools that are asked again."""
    tables = json.loads(read(OUTSIDE)) if OUTSIDE.exists() else {}
    begins = tuple(NAMES.get(name, name) for name in asked)
    return {table: [row for row in tables.get(table, []) if not row["tool"].startswith(begins)] for table in TABLES}


def ordered(table, row):
    """The row's fields in every table's order: tool, arguments, inputs, results."""
    inputs, results, _ = TABLES[table]
    return {name: row[name] for name in ("tool", "arguments", *inputs, *results) if name in row}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tools", nargs="*", metavar="TOOL")
    arguments = parser.parse_args()
    asked = [name for name in TOOLS if name in (arguments.tools or TOOLS)]
    if unknown := set(arguments.tools) - set(TOOLS):
        parser.error(f"no tool {', '.join(sorted(unknown))}; there are {', '.join(TOOLS)}")
    tables = kept_rows(asked)
    for name in asked:
        with tempfile.TemporaryDirectory() as scratch:
            for table, row in TOOLS[name](pathlib.Path(scratch)):
                tables[table].append(ordered(table, row))
    write(OUTSIDE, text_of("spec/outside.py", tables))


if __name__ == "__main__":
    main()
