#!/usr/bin/env python3
"""Makes xmss-import.json: secret keys as other programs store them, after a few signatures.

usage: convert_imports.py FOLDER   with the outputs of crates/hbs/tests/store/{ImportKeys.java,import_keys.py} and of
                                   import_keys_botan3.cpp, named as in SOURCES
"""

import json
import pathlib
import sys

OLD = "BouncyCastle, Debian's libbcprov-java 1.72: java -cp bcprov.jar ImportKeys.java "
NEW = "BouncyCastle, bcprov-jdk18on 1.86 of Maven Central: java -cp bcprov-jdk18on-1.86.jar ImportKeys.java "
BOTAN2 = "Botan, Debian's python3-botan 2.19.3: import_keys.py "
BOTAN3 = "Botan 3.13.0, source of the crate botan-src 0.31300.1: import_keys_botan3 "
XMSS, XMSS_512, XMSS_MT = "XMSS-SHA2_10_256", "XMSS-SHA2_10_512", "XMSSMT-SHA2_20/4_256"

# File, source, set, derivation, number of signatures.
SOURCES = [
    ("bc-old-10-1-SHA256-5.txt", OLD + "10 1 SHA256 5", XMSS, "legacy", 5),
    ("bc-old-10-1-SHA512-3.txt", OLD + "10 1 SHA512 3", XMSS_512, "legacy", 3),
    ("bc-old-20-4-SHA256-34.txt", OLD + "20 4 SHA256 34", XMSS_MT, "legacy", 34),
    ("bc-old-20-4-SHA256-32.txt", OLD + "20 4 SHA256 32", XMSS_MT, "legacy", 32),
    ("bc-new-10-1-SHA256-5.txt", NEW + "10 1 SHA256 5", XMSS, "legacy", 5),
    ("bc-new-20-4-SHA256-34.txt", NEW + "20 4 SHA256 34", XMSS_MT, "legacy", 34),
    ("bc-new-20-4-SHA256-32.txt", NEW + "20 4 SHA256 32", XMSS_MT, "legacy", 32),
    ("botan2.txt", BOTAN2 + "3", XMSS, "legacy", 3),
    ("botan3-sp.txt", BOTAN3 + "sp800-208 5", XMSS, "sp800-208", 5),
    ("botan3-legacy.txt", BOTAN3 + "legacy 7", XMSS, "legacy", 7),
]


def vector(folder, file, source, name, derivation, signatures):
    parts = dict(line.split() for line in (folder / file).read_text().splitlines())
    return {
        "source": source,
        "name": name,
        "derivation": derivation,
        "next": signatures,
        "public_key": parts["public"],
        "signature": parts["signature"],
        "secret": parts["secret"],
        "shard": parts.get("shard"),
    }


folder = pathlib.Path(sys.argv[1])
rows = ",\n".join(json.dumps(vector(folder, *row)) for row in SOURCES)
head = '{\n"kind": "xmss-import",\n"message": "message-i at index i; the signature is the last one; a shard has 4 indices",\n'
pathlib.Path(__file__).with_name("xmss-import.json").write_text(f'{head}"vectors": [\n{rows}\n]\n}}\n')
