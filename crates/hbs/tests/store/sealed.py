"""The vector of `src/passphrase.rs`: `pip install argon2-cffi pyaegis`."""

import struct

import pyaegis
from argon2.low_level import Type, hash_secret_raw

head = b"hashlanes sealed" + struct.pack(">4I", 1, 32, 1, 2) + bytes([7] * 32)
output = hash_secret_raw(b"one", head[-32:], time_cost=1, memory_cost=32, parallelism=2, hash_len=64, type=Type.ID)
print(pyaegis.Aegis256(tag_size=32).encrypt(output[:32], output[32:], b"a secret", head).hex())
