#!/usr/bin/env python3
"""AEGIS, defined: authenticated encryption in plain Python, to be read next to the fast code.

usage: aegis.py --check   recompute vectors/aegis.json; the definition against vectors/aegis-cfrg.json, aegis-wycheproof.json
       aegis.py --write   write vectors/aegis.json

AEGIS-128L, AEGIS-256, their parallel modes AEGIS-128X and AEGIS-256X of degree D = 2 and 4, and the codes AEGISMAC: RFC
10032, in its order and with its names. AEGIS-128: Wu, Preneel, "AEGIS: A Fast Authenticated Encryption Algorithm (v1.1)",
2016, the winner of CAESAR and the cipher of the papers; its constants const_0, const_1 are the RFC's C0, C1.

The state V is a list of rows. A row holds the block V[r,i] of every instance i one after the other, D blocks in one byte
string, so the RFC's loops over 0..D are operations on rows; D = 1 is AEGIS-128L and AEGIS-256 themselves (RFC 10032, 5.6).
"""

import collections
import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).parent / "vectors"

# `rows` of the state, `m` of them take a block of the message in an update; keys and nonces have `key_bytes`.
Cipher = collections.namedtuple("Cipher", "name rows m key_bytes degree")

CIPHERS = [
    Cipher("aegis-128", 5, 1, 16, 1),
    *(Cipher(name, 8, 2, 16, d) for d, name in ((1, "aegis-128l"), (2, "aegis-128x2"), (4, "aegis-128x4"))),
    *(Cipher(name, 6, 1, 32, d) for d, name in ((1, "aegis-256"), (2, "aegis-256x2"), (4, "aegis-256x4"))),
]


# FIPS 197 -------------------------------------------------------------------------------------------------------------


def times(a, b):
    """4.2: the product of two bytes as polynomials modulo x^8 + x^4 + x^3 + x + 1."""
    product = 0
    for _ in range(8):
        product ^= a * (b & 1)
        a, b = (a << 1) ^ (0x11B * (a >> 7)), b >> 1
    return product


def s_box(a):
    """5.1.1: the inverse, then the affine transformation."""
    inverse = next((b for b in range(256) if times(a, b) == 1), 0)
    turned = [(inverse << n | inverse >> 8 - n) & 255 for n in range(5)]
    return turned[0] ^ turned[1] ^ turned[2] ^ turned[3] ^ turned[4] ^ 0x63


S_BOX = [s_box(a) for a in range(256)]
DOUBLE = [times(a, 2) for a in range(256)]


def aes_round(block, key):
    """SubBytes and ShiftRows, MixColumns, AddRoundKey (5.1.1 to 5.1.4)."""
    s = [S_BOX[block[5 * i % 16]] for i in range(16)]
    mixed = bytearray()
    for c in range(0, 16, 4):
        a, b, c, d = s[c : c + 4]
        total = a ^ b ^ c ^ d
        mixed += bytes(x ^ total ^ DOUBLE[x ^ y] for x, y in ((a, b), (b, c), (c, d), (d, a)))
    return xor(mixed, key)


# Rows -----------------------------------------------------------------------------------------------------------------


def xor(*terms):
    value = 0
    for term in terms:
        value ^= int.from_bytes(term, "big")
    return value.to_bytes(len(terms[0]), "big")


def conjunction(a, b):
    return bytes(x & y for x, y in zip(a, b, strict=True))


def split(x, n):
    """RFC 10032, 2: blocks of n bytes; a partial one is left out."""
    return [x[i : i + n] for i in range(0, len(x) - n + 1, n)]


def zero_pad(x, n):
    return x + bytes(-len(x) % n)


def aes_rounds(row, keys):
    return b"".join(aes_round(block, key) for block, key in zip(split(row, 16), split(keys, 16), strict=True))


def le64(*values):
    return b"".join(value.to_bytes(8, "little") for value in values)


# The cipher: RFC 10032, 3.3 to 3.9, 4.3 to 4.9, 5.4, 5.5 ---------------------------------------------------------------

C0 = bytes.fromhex("000101020305080d1522375990e97962")
C1 = bytes.fromhex("db3d18556dc22ff12011314273b528dd")


def update(v, *m):
    """S'i = AESRound(S(i-1), Si), where the message comes in: the xor of both. In AEGIS-128L M1 comes in at S4."""
    keys = list(v)
    for i, part in zip((0, 4), m):
        keys[i] = xor(keys[i], part)
    return [aes_rounds(v[i - 1], keys[i]) for i in range(len(v))]


def init(cipher, key, nonce):
    """D instances that differ by their context (5.4.1, 5.5.1). AEGIS-128: v1.1, 2.3."""
    d = cipher.degree
    k, n = ([block * d for block in split(x, 16)] for x in (key, nonce))
    c0, c1 = C0 * d, C1 * d
    kn = [xor(a, b) for a, b in zip(k, n, strict=True)]
    if cipher.rows == 5:
        v = [kn[0], c1, c0, xor(k[0], c0), xor(k[0], c1)]
        inputs, contexts = [(k[0],), (kn[0],)] * 5, ()
    elif cipher.rows == 8:
        v = [kn[0], c1, c0, c1, kn[0], xor(k[0], c0), xor(k[0], c1), xor(k[0], c0)]
        inputs, contexts = [(n[0], k[0])] * 10, (3, 7)
    else:
        v = [kn[0], kn[1], c1, c0, xor(k[0], c0), xor(k[1], c1)]
        inputs, contexts = [(k[0],), (k[1],), (kn[0],), (kn[1],)] * 4, (3, 5)
    context = b"".join(bytes([i, d - 1]) + bytes(14) for i in range(d))
    for m in inputs:
        for row in contexts if d > 1 else ():
            v[row] = xor(v[row], context)
        v = update(v, *m)
    return v


def keystream(v):
    """z of Enc and Dec. AEGIS-128: v1.1, 2.5."""
    if len(v) == 5:
        return xor(v[1], v[4], conjunction(v[2], v[3]))
    if len(v) == 6:
        return xor(v[1], v[4], v[5], conjunction(v[2], v[3]))
    return xor(v[1], v[6], conjunction(v[2], v[3])) + xor(v[2], v[5], conjunction(v[6], v[7]))


def rate(cipher):
    """Bytes that an update takes in: R / 8."""
    return 16 * cipher.m * cipher.degree


def absorb(cipher, v, a):
    return update(v, *split(a, 16 * cipher.degree))


def tags(v, tag_bytes):
    """The tag of every instance; of 256 bits: its first halves in one row, its second halves in another."""
    if tag_bytes == 16:
        return [xor(*v[: min(len(v), 7)])]
    half = len(v) // 2
    return [xor(*v[:half]), xor(*v[half:])]


def mixed(cipher, v, u):
    """The state after seven updates with u and the row that the lengths are taken into."""
    t = xor(v[2 if cipher.rows == 8 else 3], u)
    for _ in range(7):
        v = update(v, *[t] * cipher.m)
    return v


def finalize(cipher, v, ad_bytes, msg_bytes, tag_bytes):
    v = mixed(cipher, v, le64(8 * ad_bytes, 8 * msg_bytes) * cipher.degree)
    return b"".join(xor(*split(row, 16)) for row in tags(v, tag_bytes))


# 3.1, 3.2: authenticated encryption -----------------------------------------------------------------------------------


def encrypt(cipher, key, nonce, ad, msg, tag_bytes):
    """The ciphertext and its tag."""
    v, r, ct = init(cipher, key, nonce), rate(cipher), b""
    for a in split(zero_pad(ad, r), r):
        v = absorb(cipher, v, a)
    for x in split(zero_pad(msg, r), r):
        ct += xor(x, keystream(v))
        v = absorb(cipher, v, x)
    return ct[: len(msg)], finalize(cipher, v, len(ad), len(msg), tag_bytes)


def decrypt(cipher, key, nonce, ad, ct, tag):
    """The message, or None if the tag is not that of these inputs."""
    v, r, msg = init(cipher, key, nonce), rate(cipher), b""
    for a in split(zero_pad(ad, r), r):
        v = absorb(cipher, v, a)
    for c in split(zero_pad(ct, r), r):
        # DecPartial: what is decrypted beyond the end is no message, so it is zeros again.
        x = zero_pad(xor(c, keystream(v))[: len(ct) - len(msg)], r)
        v = absorb(cipher, v, x)
        msg = (msg + x)[: len(ct)]
    return msg if tag == finalize(cipher, v, len(ad), len(ct), len(tag)) else None


# 8: AEGISMAC ----------------------------------------------------------------------------------------------------------


def mac(cipher, key, nonce, data, tag_bytes):
    v, d, r = init(cipher, key, nonce), cipher.degree, rate(cipher)
    for a in split(zero_pad(data, r), r):
        v = absorb(cipher, v, a)
    v = mixed(cipher, v, le64(8 * len(data), 8 * tag_bytes) * d)
    if d > 1:
        # The instances' tags go into the first one, which is as if the others were not there.
        of_instances = [b"".join(parts) for parts in zip(*(split(row, 16) for row in tags(v, tag_bytes)), strict=True)]
        first = 0 if (cipher.rows, tag_bytes) == (8, 16) else 1
        v = [row[:16] for row in v]
        for x in split(b"".join(of_instances[first:]), 16 * cipher.m):
            v = update(v, *split(x, 16))
        v = mixed(cipher, v, le64(d, 8 * tag_bytes))
    return b"".join(tags(v, tag_bytes))


# The vectors ----------------------------------------------------------------------------------------------------------


def filled(n, start):
    return bytes((start + i) % 251 for i in range(n))


def tag_lengths(cipher):
    """AEGIS-128 has no tag of 256 bits."""
    return (16,) if cipher.rows == 5 else (16, 32)


def lengths(cipher):
    """Associated data and message: empty, below, at and above one and two blocks of the rate."""
    r = rate(cipher)
    yield from ((0, n) for n in (0, 1, 15, 16, 17, r - 1, r, r + 1, 2 * r - 1, 2 * r, 5 * r + 3))
    yield from ((n, 0) for n in (1, 16, r - 1, r, r + 1))
    yield from ((r + 7, 3 * r + 5), (1, 1), (3 * r, 4 * r), (13, 300))


def rows(cipher):
    key, nonce = filled(cipher.key_bytes, 1), filled(cipher.key_bytes, 101)
    for ad_bytes, msg_bytes in lengths(cipher):
        ad, msg = filled(ad_bytes, 7), filled(msg_bytes, 0)
        row = {"cipher": cipher.name, "ad": ad_bytes, "msg": msg_bytes}
        for n in tag_lengths(cipher):
            ct, tag = encrypt(cipher, key, nonce, ad, msg, n)
            assert decrypt(cipher, key, nonce, ad, ct, tag) == msg
            assert decrypt(cipher, key, nonce, ad, ct, tag[:-1] + bytes([tag[-1] ^ 1])) is None
            row |= {"ct": ct.hex(), f"tag{8 * n}": tag.hex()}
            if cipher.rows != 5:
                row |= {f"mac{8 * n}": mac(cipher, key, nonce, msg, n).hex()}
        yield row


def text():
    head = {
        "kind": "aegis",
        "source": "spec/aegis.py",
        "inputs": "byte i of the message is i mod 251, of the key i + 1, of the nonce (i + 101) mod 251, of the associated"
        " data (i + 7) mod 251; a mac is that of the message",
    }
    fields = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    lines = ",\n".join(json.dumps(row) for cipher in CIPHERS for row in rows(cipher))
    return "{\n" + ",\n".join([*fields, '"vectors": [\n' + lines + "\n]"]) + "\n}\n"


def published():
    """The vectors of others that the definition does not compute."""
    for file in ("aegis-cfrg.json", "aegis-wycheproof.json"):
        for vector in json.loads((FOLDER / file).read_text())["vectors"]:
            cipher = next(c for c in CIPHERS if c.name == vector["cipher"])
            key, nonce, ad = (bytes.fromhex(vector[name]) for name in ("key", "nonce", "ad"))
            for name in ("tag128", "tag256", "mac128", "mac256"):
                tag = bytes.fromhex(vector.get(name, ""))
                if not tag:
                    continue
                if name.startswith("mac"):
                    right = mac(cipher, key, nonce, bytes.fromhex(vector["msg"]), len(tag)) == tag
                else:
                    ct = bytes.fromhex(vector["ct"])
                    msg = bytes.fromhex(vector["msg"]) if vector["valid"] else None
                    right = decrypt(cipher, key, nonce, ad, ct, tag) == msg
                    right = right and (msg is None or encrypt(cipher, key, nonce, ad, msg, len(tag)) == (ct, tag))
                if not right:
                    yield f"{file}: {vector['cipher']}, {vector['name']}, {name}"


def main(arguments):
    file = FOLDER / "aegis.json"
    if arguments == ["--write"]:
        file.write_text(text())
        return 0
    if arguments == ["--check"]:
        wrong = list(published())
        if file.read_text() != text():
            wrong.append(f"{file} is not what the definition gives; if it was meant to change: python3 spec/aegis.py --write")
        print(*wrong, sep="\n", end="\n" * bool(wrong))
        return int(bool(wrong))
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
