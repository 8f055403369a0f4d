#!/usr/bin/env python3
"""Converts the published vectors of AES-CBC and AES-CTR to the JSON files beside this script.

usage: convert_aes.py FOLDER

FOLDER/nist/CBC/*.rsp  NIST CAVP: known answers and multi-block messages (AESAVS), encrypting and decrypting
FOLDER/nist/CTR/*.txt  RFC 3686, section 6, in the same notation
FOLDER/wycheproof/aes_cbc_pkcs5_test.json  Project Wycheproof: CBC with PKCS #7 padding

Output is a function of the input alone.
"""

import json
import pathlib
import sys

CARRIER = "as carried by the package cryptography-vectors"


def records(path):
    """The vectors of a file: each begins with its line `COUNT`."""
    record = None
    for line in path.read_text(encoding="ascii").splitlines():
        name, equals, value = line.partition(" = ")
        if not equals or line[0] == "#":
            continue
        if name == "COUNT":
            if record:
                yield record
            record = {}
        else:
            record[name] = value.lower()
    yield record


def write(kind, source, vectors):
    """One file: the head, then an element a line, so that diffs read well."""
    lines = ",\n".join(json.dumps(vector) for vector in vectors)
    head = "".join(f"{json.dumps(name)}: {json.dumps(value)},\n" for name, value in
                   {"hash": "aes", "kind": kind, "source": source}.items())
    path = pathlib.Path(__file__).parent / f"aes-{kind}.json"
    path.write_text(f'{{\n{head}"vectors": [\n{lines}\n]\n}}\n', encoding="ascii", newline="\n")


def vector(record):
    return {"key": record["KEY"], "iv": record["IV"], "message": record["PLAINTEXT"],
            "ciphertext": record["CIPHERTEXT"]}


def convert_nist(folder, pattern, kind, source):
    """All files of a mode; what is in both directions is kept once."""
    vectors = []
    for path in sorted(folder.glob(pattern)):
        for record in records(path):
            if vector(record) not in vectors:
                vectors.append(vector(record))
    write(kind, source, vectors)


def convert_wycheproof(path):
    file = json.loads(path.read_text(encoding="utf-8"))
    tests = [test for group in file["testGroups"] for test in group["tests"]]
    assert len(tests) == file["numberOfTests"] and {test["result"] for test in tests} == {"valid", "invalid"}
    write("wycheproof", f"Project Wycheproof, {path.name}, commit dac1dd4729fd (testvectors_v1)", [
        {"key": test["key"], "iv": test["iv"], "message": test["msg"], "ciphertext": test["ct"],
         "valid": test["result"] == "valid"} for test in tests
    ])


def main():
    folder = pathlib.Path(sys.argv[1])
    convert_nist(folder / "nist/CBC", "*.rsp", "cbc", f"NIST CAVP, AESAVS (CAVS 11.1), {CARRIER}")
    convert_nist(folder / "nist/CTR", "*.txt", "ctr", f"RFC 3686, section 6, {CARRIER}")
    convert_wycheproof(folder / "wycheproof/aes_cbc_pkcs5_test.json")


if __name__ == "__main__":
    main()
