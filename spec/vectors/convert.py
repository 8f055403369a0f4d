#!/usr/bin/env python3
"""Converts the published vectors of SHA-1, SHA-2, SHA-3, SHAKE and HMAC to the JSON files beside this script.

usage: convert.py FOLDER

FOLDER/sha/*.rsp   NIST CAVP files; the fields are those of the Secure Hash Algorithm Validation System (SHAVS) 6.2-6.4, and of
                   the SHA-3 Validation System (SHA3VS) 6.2, 6.3
FOLDER/hmac/*.txt  RFC 2202 and RFC 4231 in the same notation, with a line `Key`
FOLDER/wycheproof/hmac_sha*_test.json  Project Wycheproof's HMAC tests

Lengths are checked here, digests by the tests that read the result. Output is a function of the input alone.
"""

import json
import pathlib
import re
import sys

CARRIER = "as carried by the package cryptography-vectors"
KINDS = {"ShortMsg": "short", "LongMsg": "long", "Monte": "monte", "VariableOut": "variable"}

# RFC 4231, section 4.6, test case 5: output truncated to 128 bits. The package leaves it out.
TRUNCATED_KEY = "0c" * 20
TRUNCATED_MESSAGE = b"Test With Truncation".hex()
TRUNCATED_MAC = {
    "sha224": "0e2aea68a90c8d37c988bcdb9fca6fa8",
    "sha256": "a3b6167473100ee06e0c796c2955552b",
    "sha384": "3abf34c3503b2a23a46efc619baef897",
    "sha512": "415fad6271580a531d4179bc891d87a6",
}
TRUNCATED_PLACE = 4  # after test cases 1 to 4, as in the RFC


def fields(text):
    """The `Name = value` lines of a file in order, without comments, blank lines and [headings]."""
    for line in text.splitlines():
        name, equals, value = line.partition("=")
        if equals and line[0] not in "#[":
            yield name.strip(), value.strip()


def records(text):
    """The vectors of a file: each ends with its line `MD`, or `Output`."""
    record = {}
    for name, value in fields(text):
        if name == "Output":
            name = "MD"
        record[name] = value
        if name == "MD":
            yield record
            record = {}


def message(record):
    """The message in hexadecimal: `Len`, if given, counts its bits, and an empty one is written `00`."""
    if "Len" not in record:
        assert int(record["Outputlen"]) == 4 * len(record["MD"])
        return record["Msg"]
    n_digits = int(record["Len"]) // 4
    digits = record["Msg"] if n_digits else ""
    assert len(digits) == n_digits, f"a message of {len(digits)} digits says {n_digits}"
    return digits


def write(hash_name, kind, source, body):
    """One file: the head, then `body`'s fields; a list is written one element a line, so that diffs read well."""
    head = {"hash": hash_name, "kind": kind, "source": source}
    parts = []
    for name, value in (head | body).items():
        if isinstance(value, list):
            value = "[\n" + ",\n".join(json.dumps(element) for element in value) + "\n]"
        else:
            value = json.dumps(value)
        parts.append(f"{json.dumps(name)}: {value}")
    path = pathlib.Path(__file__).parent / f"{hash_name}-{kind}.json"
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="ascii", newline="\n")


def convert_cavp(path):
    """SHA512_224LongMsg.rsp -> sha512_224-long.json"""
    algorithm, suffix = re.fullmatch(r"(SHA[0-9_]+|SHAKE[0-9]+)(ShortMsg|LongMsg|Monte|VariableOut)", path.stem).groups()
    text = path.read_text(encoding="ascii")
    version = re.search(r"CAVS [0-9.]+", text).group()
    source = f"NIST CAVP, {path.name} ({version}), {CARRIER}"
    if suffix == "Monte":
        digests = [record["MD"] for record in records(text)]
        body = {"seed": dict(fields(text))["Seed"], "checkpoints": digests}
    else:
        body = {"vectors": [{"message": message(record), "digest": record["MD"]} for record in records(text)]}
    write(algorithm.lower(), KINDS[suffix], source, body)


def convert_hmac(path):
    """rfc-4231-sha256.txt -> sha256-hmac.json"""
    rfc, hash_name = re.fullmatch(r"rfc-([0-9]+)-(sha[0-9]+)", path.stem).groups()
    source = f"RFC {rfc}, {CARRIER}"
    vectors = [
        {"key": record["Key"], "message": message(record), "mac": record["MD"]}
        for record in records(path.read_text(encoding="ascii"))
    ]
    if rfc == "4231":
        source += "; the truncated vector from the RFC, section 4.6"
        mac = TRUNCATED_MAC[hash_name]
        vector = {"key": TRUNCATED_KEY, "message": TRUNCATED_MESSAGE, "mac": mac, "truncated": True}
        vectors.insert(TRUNCATED_PLACE, vector)
    write(hash_name, "hmac", source, {"vectors": vectors})


def convert_wycheproof(path):
    """hmac_sha256_test.json -> sha256-wycheproof.json"""
    (hash_name,) = re.fullmatch(r"hmac_(sha[0-9_]+)_test", path.stem).groups()
    file = json.loads(path.read_text(encoding="ascii"))
    tests = [test for group in file["testGroups"] for test in group["tests"]]
    assert len(tests) == file["numberOfTests"] and {test["result"] for test in tests} == {"valid", "invalid"}
    vectors = [
        {"key": test["key"], "message": test["msg"], "mac": test["tag"], "valid": test["result"] == "valid"}
        for test in tests
    ]
    source = f"Project Wycheproof, {path.name}, as carried by the crate wycheproof 0.7.0"
    write(hash_name, "wycheproof", source, {"vectors": vectors})


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    for path in sorted(folder.glob("sha/*.rsp")):
        convert_cavp(path)
    for path in sorted(folder.glob("hmac/*.txt")):
        convert_hmac(path)
    for path in sorted(folder.glob("wycheproof/hmac_sha*_test.json")):
        if "sha3_" not in path.stem:
            convert_wycheproof(path)


if __name__ == "__main__":
    main()
