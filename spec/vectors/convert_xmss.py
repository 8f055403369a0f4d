#!/usr/bin/env python3
"""Makes xmss.json from files of signatures of other implementations.

usage: convert_xmss.py FOLDER   with xmss/{reference-xmss,reference-xmssmt,liboqs-kat,botan-keygen,botan-sign,botan-verify,
                                negative-mutations}.json and interop/{bc-xmss,botan-xmss,bc-n24-nonconforming}.json

Signatures stand in full where nothing else tells them; those that follow from seeds are kept as SHA-256. Of sets
over SHAKE the public keys alone are kept, as keys to be refused.
"""

import hashlib
import json
import pathlib
import sys

SOURCES = {
    "reference": "XMSS/xmss-reference @171ccbd, run with seeds 00, 01, ... (CC0)",
    "liboqs": "open-quantum-safe/liboqs tests/KATs/sig_stfl/xmss @8979276 (MIT)",
    "botan": "randombit/botan src/tests/data/pubkey/xmss_*.vec @081417e (BSD-2-Clause)",
    "botan-run": "Botan 3.14.0-dev @081417e, run with seeds 00, 01, ...",
    "bouncycastle": "BouncyCastle bcprov-jdk18on 1.86, run with seeds 00, 01, ...",
    "mutations": "made for liboqs' signatures; all refused by xmss-reference @171ccbd, those of XMSS by Botan 3.14-dev (CC0)",
}


def derivation_of(text):
    return "legacy" if text.lower().startswith("legacy") else "sp800-208"


def row(origin, test, signatures, derivation=None):
    """A key with its signatures: (index, message, signature or None, SHA-256 of it, whether to keep it)."""
    seeds = test["sk_seed"] + test["sk_prf"] + test["pub_seed"] if "sk_seed" in test else None
    pk = test.get("pk") or f"{test['oid']:08x}" + test["root"] + test["pub_seed"]
    rows = []
    for index, message, signature, sha256, keep in signatures:
        sha256 = sha256 or hashlib.sha256(bytes.fromhex(signature)).hexdigest()
        rows.append({"index": index, "message": message, "sha256": sha256} | ({"signature": signature} if keep else {}))
    return {
        "origin": origin,
        "name": test["name"],
        "derivation": derivation if seeds else None,
        "seeds": seeds,
        "public_key": pk.lower(),
        "signatures": [] if "SHAKE" in test["name"] else rows,
    }


def index_of(signature, test):
    n_bytes = 4 if test["name"].startswith("XMSS-") else (int(test["name"].split("_")[1].split("/")[0]) + 7) // 8
    return int(signature[: 2 * n_bytes], 16)


def vectors(folder):
    def tests(file):
        return json.loads((folder / file).read_text())["tests"]

    for file in ("xmss/reference-xmss.json", "xmss/reference-xmssmt.json"):
        for t in tests(file):
            yield row("reference", t, [(s["idx"], s["msg"], None, s["sig_sha256"], False) for s in t["sigs"]], "sp800-208")
    for t in tests("xmss/liboqs-kat.json"):
        yield row("liboqs", t, [(t["idx"], t["msg"], t["sig"], None, True)], "sp800-208")
    for t in tests("xmss/botan-keygen.json"):
        yield row("botan", t, [], "sp800-208")
    for t in tests("xmss/botan-sign.json"):
        how = derivation_of(t["wots_key_derivation"])
        yield row("botan", t, [(t["idx"], t["msg"], t["sig"], None, False)], how)
    names = set()
    for t in tests("xmss/botan-verify.json"):
        if t["name"] not in names:  # one of each set
            yield row("botan", t, [(index_of(t["sig"], t), t["msg"], t["sig"], None, True)])
        names.add(t["name"])
    for t in tests("interop/bc-xmss.json"):
        yield row("bouncycastle", t, [(s["idx"], s["msg"], s["sig"], None, False) for s in t["sigs"]], "legacy")
    for t in tests("interop/botan-xmss.json"):
        how = derivation_of(t["wots_key_derivation"])
        yield row("botan-run", t, [(s["idx"], s["msg"], s["sig"], None, False) for s in t["sigs"]], how)


def nonconforming(folder):
    """Of sets over SHA-2 one signature each."""
    for t in json.loads((folder / "interop/bc-n24-nonconforming.json").read_text())["tests"]:
        if "SHAKE" not in t["name"]:
            s = t["sigs"][0]
            yield row("bouncycastle", t, [(s["idx"], s["msg"], s["sig"], None, True)], "legacy")


def mutations(folder):
    for s in json.loads((folder / "xmss/negative-mutations.json").read_text())["sets"]:
        if "SHAKE" not in s["base"]:
            yield {"base": s["base"], "mutations": s["mutations"]}


def spki(folder):
    for t in json.loads((folder / "interop/botan-xmss.json").read_text())["tests"][:1]:
        yield {"origin": "botan-run", "pem": t["spki_pem_botan_legacy_oid"], "public_key": t["pk"].lower()}


def main(arguments):
    if len(arguments) != 1:
        print(__doc__)
        return 2
    folder = pathlib.Path(arguments[0])
    fields = ['"kind": "xmss-outside"', f'"source": {json.dumps(SOURCES)}']
    for name, table in (("vectors", vectors), ("nonconforming", nonconforming), ("mutations", mutations), ("spki", spki)):
        fields.append(f'"{name}": [\n' + ",\n".join(map(json.dumps, table(folder))) + "\n]")
    path = pathlib.Path(__file__).parent / "xmss.json"
    path.write_text("{\n" + ",\n".join(fields) + "\n}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
