#!/usr/bin/env python3
"""Makes aegis-cfrg.json and aegis-wycheproof.json from published files.

usage: convert_aegis.py FOLDER   with cfrg-aegis/*.json and wycheproof/aegis{128,128L,256}_test.json

Results are copied, not computed: `spec/aegis.py --check` compares them.
"""

import json
import pathlib
import sys

CFRG = "cfrg/draft-irtf-cfrg-aegis-aead @35cf57df7a41, test-vectors (Simplified BSD): those of RFC 10032, appendix A"
WYCHEPROOF = "C2SP/wycheproof @dac1dd4729fd, testvectors_v1/aegis{128,128L,256}_test.json (Apache-2.0)"


def write(name, source, rows):
    lines = ",\n".join(map(json.dumps, rows))
    path = pathlib.Path(__file__).parent / name
    path.write_text(f'{{\n"kind": "aegis-{path.stem.split("-")[1]}",\n"source": {json.dumps(source)},\n"vectors": [\n{lines}\n]\n}}\n')


def cfrg(folder):
    """Vectors with tags, and of the codes; states in between are left out."""
    for file in sorted((folder / "cfrg-aegis").glob("aegis-*-test-vectors.json")):
        cipher = file.name.removesuffix("-test-vectors.json")
        for test in json.loads(file.read_text()):
            if "tag128" in test:
                valid = "error" not in test
                names = ["key", "nonce", "ad", *["msg"] * valid, "ct", "tag128", "tag256"]
                yield {"cipher": cipher, "name": test["name"], "valid": valid} | {name: test[name] for name in names}
    for test in json.loads((folder / "cfrg-aegis" / "aegismac-test-vectors.json").read_text()):
        cipher = test["name"].split()[0].replace("AEGISMAC", "aegis").lower()
        head = {"cipher": cipher, "name": test["name"], "valid": True, "key": test["key"], "nonce": test["nonce"], "ad": ""}
        yield head | {"msg": test["data"], "mac128": test["tag128"], "mac256": test["tag256"]}


def wycheproof(folder):
    for file, cipher in (("aegis128", "aegis-128"), ("aegis128L", "aegis-128l"), ("aegis256", "aegis-256")):
        for group in json.loads((folder / "wycheproof" / f"{file}_test.json").read_text())["testGroups"]:
            assert group["tagSize"] == 128
            for test in group["tests"]:
                valid = {"valid": True, "invalid": False}[test["result"]]
                head = {"cipher": cipher, "name": f"{test['tcId']} {' '.join(test['flags'])}", "valid": valid}
                inputs = {"key": test["key"], "nonce": test["iv"], "ad": test["aad"], "msg": test["msg"]}
                yield head | inputs | {"ct": test["ct"], "tag128": test["tag"]}


def main(arguments):
    if len(arguments) != 1:
        print(__doc__)
        return 2
    folder = pathlib.Path(arguments[0])
    write("aegis-cfrg.json", CFRG, cfrg(folder))
    write("aegis-wycheproof.json", WYCHEPROOF, wycheproof(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
