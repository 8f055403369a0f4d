#!/usr/bin/env python3
"""Makes aes-gcm-wycheproof.json from the published file.

usage: convert_gcm.py FOLDER   with wycheproof/aes_gcm_test.json

Results are copied, not computed.
"""

import json
import pathlib
import sys

WYCHEPROOF = "C2SP/wycheproof, testvectors_v1/aes_gcm_test.json (Apache-2.0)"


def wycheproof(folder):
    for group in json.loads((folder / "wycheproof" / "aes_gcm_test.json").read_text())["testGroups"]:
        assert group["tagSize"] == 128
        for test in group["tests"]:
            valid = {"valid": True, "invalid": False}[test["result"]]
            head = {"cipher": f"aes-{group['keySize']}-gcm", "name": f"{test['tcId']} {' '.join(test['flags'])}", "valid": valid}
            inputs = {"key": test["key"], "nonce": test["iv"], "ad": test["aad"], "msg": test["msg"]}
            yield head | inputs | {"ct": test["ct"], "tag128": test["tag"]}


def main(arguments):
    if len(arguments) != 1:
        print(__doc__)
        return 2
    lines = ",\n".join(map(json.dumps, wycheproof(pathlib.Path(arguments[0]))))
    path = pathlib.Path(__file__).parent / "aes-gcm-wycheproof.json"
    path.write_text(f'{{\n"kind": "aes-gcm-wycheproof",\n"source": {json.dumps(WYCHEPROOF)},\n"vectors": [\n{lines}\n]\n}}\n')
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
