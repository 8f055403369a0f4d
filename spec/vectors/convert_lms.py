#!/usr/bin/env python3
"""Makes lms.json: the test cases of RFC 8554, appendix F, and keys and signatures of BouncyCastle.

usage: convert_lms.py FOLDER FILE   with rfc_testcase1.rs and rfc_testcase2.rs of the crate hbs-lms (its folder `tests`), and what
                                    Lms.java prints

The seeds of test case 2 are those of the appendix, as the tests of the crate lms-signature have them, too.
"""

import hashlib
import json
import pathlib
import re
import sys

SEEDS = {
    "LMS_SHA256_M32_H10_W4": "558b8966c48ae9cb898b423c83443aae014a72f1b1ab5cc85cf1d892903b5439d08fabd4a2091ff0a8cb4ed834e74534",
    "LMS_SHA256_M32_H5_W8": "a1c4696e2608035a886100d05cd99945eb3370731884a8235e2fb3d4d71f2547215f83b7ccb9acbcd08db97b0d04dc2b",
}


def statics(path):
    """The byte strings of a file, by name."""
    found = re.findall(r"static (\w+): &\[u8\] = &\[(.*?)\];", path.read_text(), re.S)
    return {name.lower(): bytes(int(byte, 16) for byte in re.findall(r"0x(..)", text)) for name, text in found}


def bouncycastle(path):
    """Keys with a signature each, of which the digest is kept."""
    for line in path.read_text().splitlines():
        name, index, key, signature = line.split()
        digest = hashlib.sha256(bytes.fromhex(signature)).hexdigest()
        yield {"set": name, "public_key": key, "index": int(index), "digest": digest}


def main():
    cases = [statics(pathlib.Path(sys.argv[1]) / f"rfc_testcase{number}.rs") for number in (1, 2)]
    top, lower = SEEDS
    # Of test case 2: the topmost key, and the one that the signature has after a signature of the topmost tree.
    signature = cases[1]["signature"]
    lower_at = 4 + 4 + (4 + 32 + 67 * 32) + 4 + 10 * 32
    keys = [
        {"set": top, "seeds": SEEDS[top], "key": cases[1]["public_key"][4:].hex()},
        {"set": lower, "seeds": SEEDS[lower], "key": signature[lower_at : lower_at + 56].hex()},
    ]
    claims = [{name: value.hex() for name, value in sorted(case.items())} for case in cases]
    rows = lambda rows: "[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]"
    source = {
        "keys, claims": "RFC 8554, appendix F, from the crate hbs-lms 0.2.0-alpha.1 (Apache-2.0)",
        "signatures": "BouncyCastle bcprov-jdk18on 1.86, run with given seeds",
    }
    tables = {"keys": keys, "claims": claims, "signatures": bouncycastle(pathlib.Path(sys.argv[2]))}
    tables = ",\n".join(f'"{name}": {rows(table)}' for name, table in tables.items())
    text = f'{{\n"kind": "lms-outside",\n"source": {json.dumps(source)},\n{tables}\n}}\n'
    (pathlib.Path(__file__).parent / "lms.json").write_text(text)


main()
