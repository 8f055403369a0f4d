#!/usr/bin/env python3
"""Makes slh-dsa.json from files of keys and signatures of other implementations.

usage: convert_slh_dsa.py FOLDER   with slhdsa/{acvp-keygen,acvp-siggen-subset,acvp-sigver-subset,botan-slhdsa-digests}.json and
                                   interop/{bc-slhdsa,openssl35-slhdsa}.json

Signatures that follow from a private key are kept as digests. Signatures to be verified are kept in full: of each set one valid
one, of the smallest sets all.
"""

import hashlib
import json
import pathlib
import sys

SOURCES = {
    "acvp": "NIST ACVP-Server gen-val/json-files/SLH-DSA-{keyGen,sigGen,sigVer}-FIPS205, from cloudflare/circl v1.6.5 (public domain)",
    "botan": "randombit/botan src/tests/data/pubkey/slh_dsa.vec @081417e (BSD-2-Clause)",
    "bouncycastle": "BouncyCastle bcprov-jdk18on 1.86, run with given seeds",
    "openssl": "OpenSSL 3.5.8 (Node.js 26.10.0), run",
}
KEYS = 4  # of each set
SMALLEST = ("SLH-DSA-SHA2-128s", "SLH-DSA-SHAKE-128s")


def tests(folder, file):
    """Pairs of a group and a test of ACVP."""
    for group in json.loads((folder / "slhdsa" / file).read_text())["testGroups"]:
        for test in group["tests"]:
            yield group, test


def how(group, test):
    """What is signed: `pure`, `internal` or the name of a hash function."""
    if group["signatureInterface"] == "internal":
        return "internal"
    return test["hashAlg"] if group["preHash"] == "preHash" else "pure"


def keys(folder):
    n = {}
    for group, test in tests(folder, "acvp-keygen.json"):
        n[group["parameterSet"]] = n.get(group["parameterSet"], 0) + 1
        if n[group["parameterSet"]] <= KEYS:
            yield {"set": group["parameterSet"], "private_key": test["sk"].lower()}


def signature(origin, set_name, private_key, how, message, context, random, digest):
    return {
        "origin": origin,
        "set": set_name,
        "private_key": private_key.lower(),
        "how": how,
        "message": message.lower(),
        "context": context.lower(),
        "random": random.lower() if random else None,
        "digest": digest.lower(),
    }


def signatures(folder):
    for group, test in tests(folder, "acvp-siggen-subset.json"):
        digest = hashlib.sha256(bytes.fromhex(test["signature"])).hexdigest()
        random = None if group["deterministic"] else test["additionalRandomness"]
        yield signature("acvp", group["parameterSet"], test["sk"], how(group, test), test["message"], test.get("context", ""), random, digest)
    for test in json.loads((folder / "slhdsa/botan-slhdsa-digests.json").read_text())["tests"]:
        yield signature("botan", test["SphincsParameterSet"], test["sk"], "pure", test["msg"], "", None, test["HashSigDet"])
    for test in json.loads((folder / "interop/bc-slhdsa.json").read_text())["tests"]:
        family, size = test["parameterSet"].split("-")
        set_name = f"SLH-DSA-{family.upper()}-{size}"
        private_key = test["skSeed"] + test["skPrf"] + test["pkSeed"] + test["pkRoot"]
        functions = {"sha256": "SHA2-256", "sha512": "SHA2-512", "shake128": "SHAKE-128", "shake256": "SHAKE-256"}
        for kind in ("pure_ctx", "prehash_ctx"):
            row = test[kind]
            function = functions[row["name"].rsplit("-", 1)[1]] if kind == "prehash_ctx" else "pure"
            yield signature("bouncycastle", set_name, private_key, function, test["msg"], row["context"], None, row["sha256"])


def claims(folder):
    of_set = set()
    for group, test in tests(folder, "acvp-sigver-subset.json"):
        name = group["parameterSet"]
        if name in SMALLEST or (name not in of_set and test["testPassed"]):
            of_set.add(name)
            yield {
                "set": name,
                "public_key": test["pk"].lower(),
                "how": how(group, test),
                "message": test["message"].lower(),
                "context": test.get("context", "").lower(),
                "signature": test["signature"].lower(),
                "is_valid": test["testPassed"],
            }


def formats(folder):
    for test in json.loads((folder / "interop/openssl35-slhdsa.json").read_text())["tests"]:
        yield {key: test[key] for key in ("pkcs8_pem", "spki_pem")} | {"origin": "openssl", "set": test["parameterSet"], "hash_spki_der": None}
    for test in json.loads((folder / "interop/bc-slhdsa.json").read_text())["tests"]:
        family, size = test["parameterSet"].split("-")
        yield {"origin": "bouncycastle", "set": f"SLH-DSA-{family.upper()}-{size}", "hash_spki_der": test["hash_spki_der"]} | {
            "pkcs8_pem": pem("PRIVATE KEY", test["pkcs8_der"]),
            "spki_pem": pem("PUBLIC KEY", test["spki_der"]),
        }


def pem(label, der):
    import base64

    text = base64.b64encode(bytes.fromhex(der)).decode()
    lines = [text[i : i + 64] for i in range(0, len(text), 64)]
    return "\n".join([f"-----BEGIN {label}-----", *lines, f"-----END {label}-----", ""])


def main(arguments):
    if len(arguments) != 1:
        print(__doc__)
        return 2
    folder = pathlib.Path(arguments[0])
    fields = ['"kind": "slh-dsa-outside"', f'"source": {json.dumps(SOURCES)}']
    for name, table in (("keys", keys), ("signatures", signatures), ("claims", claims), ("formats", formats)):
        fields.append(f'"{name}": [\n' + ",\n".join(map(json.dumps, table(folder))) + "\n]")
    path = pathlib.Path(__file__).parent / "slh-dsa.json"
    path.write_text("{\n" + ",\n".join(fields) + "\n}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
