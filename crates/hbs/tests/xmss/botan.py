"""Botan 2 signs and verifies: `sign MESSAGE…` prints its public key (DER) and a signature a line, in hexadecimal; `verify`
reads lines of raw public key, message (text) and signature, and prints whether each is valid."""

import sys

import botan2

SET = "XMSS-SHA2_10_256"
# SubjectPublicKeyInfo as Botan 2 reads it: the older identifier, the key in an OCTET STRING; 68 bytes follow.
HEAD = bytes.fromhex("3056 300b 0609 04007f000f01010d00 0347 00 0444")


def sign(messages):
    key = botan2.PrivateKey.create("XMSS", SET, botan2.RandomNumberGenerator())
    print(key.get_public_key().to_der().hex())
    for message in messages:
        operation = botan2.PKSign(key, "")
        operation.update(message)
        print(operation.finish(botan2.RandomNumberGenerator()).hex())


def verify():
    for line in sys.stdin:
        key, message, signature = line.split()
        # The operation does not keep its key alive.
        public_key = botan2.PublicKey.load(HEAD + bytes.fromhex(key))
        operation = botan2.PKVerify(public_key, "")
        operation.update(message)
        print(operation.check_signature(bytes.fromhex(signature)))


if sys.argv[1] == "sign":
    sign(sys.argv[2:])
else:
    verify()
