#!/usr/bin/env python3
"""Makes aes-gcm-wycheproof.json and aes-gcm-siv-wycheproof.json from the published files.

usage: convert_gcm.py FOLDER   with wycheproof/aes_gcm_test.json and wycheproof/aes_gcm_siv_test.json

Results are copied, not computed.
"""

import json
import pathlib
import sys


def wycheproof(file, mode):
    for group in json.loads(file.read_text())["testGroups"]:
        assert group["tagSize"] == 128
        for test in group["tests"]:
            valid = {"valid": True, "invalid": False}[test["result"]]
            head = {"cipher": f"aes-{group['keySize']}-{mode}", "name": f"{test['tcId']} {' '.join(test['flags'])}", "valid": valid}
            inputs = {"key": test["key"], "nonce": test["iv"], "ad": test["aad"], "msg": test["msg"]}
            yield head | inputs | {"ct": test["ct"], "tag128": test["tag"]}


def main(arguments):
    if len(arguments) != 1:
        print(__doc__)
        return 2
    for mode in ["gcm", "gcm-siv"]:
        file = f"aes_{mode.replace('-', '_')}_test.json"
        source = f"C2SP/wycheproof, testvectors_v1/{file} (Apache-2.0)"
        lines = ",\n".join(map(json.dumps, wycheproof(pathlib.Path(arguments[0]) / "wycheproof" / file, mode)))
        kind = f"aes-{mode}-wycheproof"
        path = pathlib.Path(__file__).parent / f"{kind}.json"
        path.write_text(f'{{\n"kind": "{kind}",\n"source": {json.dumps(source)},\n"vectors": [\n{lines}\n]\n}}\n')
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
