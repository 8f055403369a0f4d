#!/usr/bin/env python3
"""A tree over SHA3-256, defined: to be compared with the trees of SHA-2, and for nothing else.

usage: keccak.py --check   recompute vectors/keccak.json
       keccak.py --write   write vectors/keccak.json

S. Gueron's slides of 2014 on j-lanes (document 002, "Current performance comparison") set "treed Keccak256" of two leaves
next to the j-lanes of SHA-256. They do not define it; this is the tree measured here under that name. It is not a standard, and
not a mode to be used: nothing distinguishes a leaf from a node, so that
tree(j, M) is also SHA3-256 of another message.
"""

import hashlib
import json
import pathlib
import sys

FILE = pathlib.Path(__file__).parent / "vectors" / "keccak.json"
RATE = 136
LEAVES = (1, 2, 3, 4, 8, 16)


def sha3_256(message):
    """Keccak with a capacity of 512 bits and FIPS 202's padding."""
    return hashlib.sha3_256(message).digest()


def tree(j, message):
    """SHA3-256 of the leaves' digests, joined; leaf i is the pieces i, i + j, i + 2j, … of RATE bytes, joined.

    The last piece is what remains of the message, 0 to RATE - 1 bytes.
    """
    pieces = [message[at : at + RATE] for at in range(0, len(message) + 1, RATE)]
    leaves = [b"".join(pieces[i::j]) for i in range(j)]
    return sha3_256(b"".join(map(sha3_256, leaves)))


# The vectors ----------------------------------------------------------------------------------------------------------


def message(length):
    """251 is prime: no piece begins as its neighbours do."""
    return (bytes(range(251)) * (length // 251 + 1))[:length]


def lengths(leaves):
    """About whole pieces, whole rows of pieces (one a leaf) and some of a row; and a long one."""
    pieces = {0, 1, 2, leaves - 1, leaves, leaves + 1, 3 * leaves, 3 * leaves + 1, 4 * leaves - 1}
    about = {n * RATE + d for n in pieces for d in (-1, 0, 1) if n * RATE + d >= 0}
    return sorted(about | {100_000})


def rows():
    """(leaves, length, digest); 0 leaves: SHA3-256 itself."""
    for length in lengths(16):
        yield 0, length, sha3_256(message(length))
    for leaves in LEAVES:
        for length in lengths(leaves):
            yield leaves, length, tree(leaves, message(length))


def text():
    source = "Python's hashlib for 0 leaves (SHA3-256), spec/keccak.py over it for others"
    head = {"kind": "keccak", "source": source, "message": "byte i is i mod 251"}
    lines = [
        json.dumps({"leaves": leaves, "length": length, "digest": digest.hex()}) for leaves, length, digest in rows()
    ]
    fields = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    return "{\n" + ",\n".join([*fields, '"digests": [\n' + ",\n".join(lines) + "\n]"]) + "\n}\n"


def main(arguments):
    if arguments == ["--write"]:
        FILE.write_text(text())
        return 0
    if arguments == ["--check"]:
        if FILE.read_text() == text():
            return 0
        print(f"{FILE} is not what the definition gives; if it was meant to change: python3 spec/keccak.py --write")
        return 1
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
