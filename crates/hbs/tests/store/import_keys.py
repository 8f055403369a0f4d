"""Makes a secret key as Botan 2 stores it: `import_keys.py SIGNATURES` signs "message-0", "message-1", and so on, then prints the last
signature, the public key and the secret key, in hexadecimal."""

import sys

import botan2

random = botan2.RandomNumberGenerator()
key = botan2.PrivateKey.create("XMSS", "XMSS-SHA2_10_256", random)
for i in range(int(sys.argv[1])):
    operation = botan2.PKSign(key, "")
    operation.update(f"message-{i}")
    signature = operation.finish(random)
print("signature", signature.hex())
print("public", key.get_public_key().to_der().hex())
print("secret", key.to_der().hex())
