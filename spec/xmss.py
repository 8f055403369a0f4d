#!/usr/bin/env python3
"""XMSS and XMSS^MT, defined: plain Python over a standard hash library, to be read next to the fast code.

usage: xmss.py --check   recompute vectors/xmss-small.json
       xmss.py --write   write vectors/xmss-small.json

RFC 8391, in its order and with its names, for w = 16; n = 24 and the derivation of the one-time keys after NIST
SP 800-208. Values are byte strings, `+` joins them. A parameter set is (n, h, d): n = 24 and 32 use SHA-256, n = 64 SHA-512;
h is the height of all d layers together; d = None is XMSS, one tree whose index takes 4 bytes in a signature.

The heights of the standards' sets take this program minutes to years, so the vectors are of heights 2 to 4. They have no
OID. `derivation` is `sp800-208`, or `legacy`: what implementations did before SP 800-208.
"""

import hashlib
import json
import pathlib
import sys

FILE = pathlib.Path(__file__).parent / "vectors" / "xmss-small.json"
W = 16


def to_byte(x, y):
    """RFC 8391, 2.4: x as y bytes, big-endian."""
    return x.to_bytes(y, "big")


# 2.5 Hash addresses ---------------------------------------------------------------------------------------------------

OTS, L_TREE, HASH_TREE = 0, 1, 2  # the type


def address(layer, tree, kind, *words):
    """ADRS: 32 bytes. `words` are the last four: of OTS the OTS address, chain, hash; of an L-tree the L-tree address,
    height, index; of a hash tree 0, height, index; then keyAndMask."""
    assert len(words) == 4
    return to_byte(layer, 4) + to_byte(tree, 8) + to_byte(kind, 4) + b"".join(to_byte(word, 4) for word in words)


# 5.1 Functions; SP 800-208, 5.1 to 5.4 --------------------------------------------------------------------------------


def hashed(n, kind, message):
    """The hash of toByte(kind, n) + message; for n = 24 of toByte(kind, 4) + message, truncated."""
    hash_name = "sha512" if n == 64 else "sha256"
    return hashlib.new(hash_name, to_byte(kind, 4 if n == 24 else n) + message).digest()[:n]


def f(n, key, m):
    return hashed(n, 0, key + m)


def h(n, key, m):
    return hashed(n, 1, key + m)


def h_msg(n, key, m):
    return hashed(n, 2, key + m)


def prf(n, key, m):
    return hashed(n, 3, key + m)


def prf_keygen(n, key, m):
    return hashed(n, 4, key + m)


def xor(a, b):
    return bytes(x ^ y for x, y in zip(a, b, strict=True))


# 3 WOTS+ --------------------------------------------------------------------------------------------------------------


def base_w(x, out_len):
    """Algorithm 1, for w = 16: the half bytes."""
    return [half for byte in x for half in (byte >> 4, byte & 15)][:out_len]


def chain(n, x, start, steps, seed, adrs):
    """Algorithm 2. `adrs(hash_address, key_and_mask)` is ADRS."""
    for i in range(start, start + steps):
        key = prf(n, seed, adrs(i, 0))
        bm = prf(n, seed, adrs(i, 1))
        x = f(n, key, xor(x, bm))
    return x


def wots_digits(n, m):
    """The number of steps for each chain: the message's digits, then the checksum's (within algorithms 5 and 6)."""
    digits = base_w(m, 2 * n)
    csum = sum(W - 1 - digit for digit in digits)
    return digits + base_w(to_byte(csum << 4, 2), 3)


def wots_chains(n, values, starts, ends, seed, layer, tree, i):
    """Chain j from step starts[j] to step ends[j]."""
    return [
        chain(n, x, a, b - a, seed, lambda hash_, mask, j=j: address(layer, tree, OTS, i, j, hash_, mask))
        for j, (x, a, b) in enumerate(zip(values, starts, ends, strict=True))
    ]


def wots_gen_sk(n, key, layer, tree, i):
    """SP 800-208, algorithm 10 (6.2); or what was done before."""
    legacy, sk_seed, seed = key["derivation"] == "legacy", key["sk_seed"], key["pub_seed"]
    if legacy:
        ots_seed = prf(n, sk_seed, address(layer, tree, OTS, i, 0, 0, 0))
        return [prf(n, ots_seed, to_byte(j, 32)) for j in range(2 * n + 3)]
    return [prf_keygen(n, sk_seed, seed + address(layer, tree, OTS, i, j, 0, 0)) for j in range(2 * n + 3)]


def wots_gen_pk(n, key, layer, tree, i):
    """Algorithm 4."""
    sk, zeros, ends = wots_gen_sk(n, key, layer, tree, i), [0] * (2 * n + 3), [W - 1] * (2 * n + 3)
    return wots_chains(n, sk, zeros, ends, key["pub_seed"], layer, tree, i)


def wots_sign(n, key, m, layer, tree, i):
    """Algorithm 5."""
    sk, digits = wots_gen_sk(n, key, layer, tree, i), wots_digits(n, m)
    return wots_chains(n, sk, [0] * len(digits), digits, key["pub_seed"], layer, tree, i)


def wots_pk_from_sig(n, m, sig, seed, layer, tree, i):
    """Algorithm 6."""
    digits = wots_digits(n, m)
    return wots_chains(n, sig, digits, [W - 1] * len(digits), seed, layer, tree, i)


# 4.1 XMSS -------------------------------------------------------------------------------------------------------------


def rand_hash(n, left, right, seed, adrs):
    """Algorithm 7. `adrs(key_and_mask)` is ADRS."""
    key, bm_0, bm_1 = (prf(n, seed, adrs(mask)) for mask in range(3))
    return h(n, key, xor(left, bm_0) + xor(right, bm_1))


def l_tree(n, pk, seed, layer, tree, i):
    """Algorithm 8."""
    height = 0
    while len(pk) > 1:
        pairs = range(len(pk) // 2)
        nodes = [
            rand_hash(
                n, pk[2 * k], pk[2 * k + 1], seed, lambda mask, k=k: address(layer, tree, L_TREE, i, height, k, mask)
            )
            for k in pairs
        ]
        pk = nodes + pk[2 * len(nodes) :]
        height += 1
    return pk[0]


def tree_levels(n, key, tree_height, layer, tree):
    """What algorithm 9, treeHash, computes, as levels: leaves first, the root alone last."""
    seed = key["pub_seed"]
    leaves = [l_tree(n, wots_gen_pk(n, key, layer, tree, i), seed, layer, tree, i) for i in range(2**tree_height)]
    levels = [leaves]
    for height in range(tree_height):
        below = levels[-1]
        levels.append(
            [
                rand_hash(
                    n,
                    below[2 * k],
                    below[2 * k + 1],
                    seed,
                    lambda mask, k=k: address(layer, tree, HASH_TREE, 0, height, k, mask),
                )
                for k in range(len(below) // 2)
            ]
        )
    return levels


def tree_sig(n, key, m, levels, layer, tree, i):
    """Algorithm 11: the WOTS+ signature of m at leaf i, and the authentication path."""
    auth = [levels[k][(i >> k) ^ 1] for k in range(len(levels) - 1)]
    return b"".join(wots_sign(n, key, m, layer, tree, i) + auth)


def root_from_sig(n, i, sig, auth, m, seed, layer, tree):
    """Algorithm 13."""
    node = l_tree(n, wots_pk_from_sig(n, m, sig, seed, layer, tree, i), seed, layer, tree, i)
    for k, sibling in enumerate(auth):

        def adrs(mask, k=k):
            return address(layer, tree, HASH_TREE, 0, k, i >> (k + 1), mask)

        left, right = (node, sibling) if (i >> k) % 2 == 0 else (sibling, node)
        node = rand_hash(n, left, right, seed, adrs)
    return node


# 4.2 XMSS^MT; XMSS is one layer of it ---------------------------------------------------------------------------------


def tree_of(key, layer, tree):
    """The levels of a tree, computed once."""
    n, height, d = key["set"]
    if (layer, tree) not in key["trees"]:
        key["trees"][layer, tree] = tree_levels(n, key, height // (d or 1), layer, tree)
    return key["trees"][layer, tree]


def key_gen(parameters, derivation, seeds):
    """Algorithms 10 and 15, from seeds SK_SEED + SK_PRF + PUB_SEED: the secret key, with its root."""
    n, _, d = parameters
    sk_seed, sk_prf, pub_seed = seeds[:n], seeds[n : 2 * n], seeds[2 * n :]
    key = {"set": parameters, "derivation": derivation, "sk_seed": sk_seed, "sk_prf": sk_prf, "pub_seed": pub_seed}
    key["trees"] = {}
    key["root"] = tree_of(key, (d or 1) - 1, 0)[-1][0]
    return key


def index_bytes(parameters):
    """4.1.8 and 4.2.3."""
    _, height, d = parameters
    return 4 if d is None else (height + 7) // 8


def sign(key, idx, m):
    """Algorithms 12 and 16."""
    parameters, (n, height, d) = key["set"], key["set"]
    layers = d or 1
    tree_height = height // layers
    r = prf(n, key["sk_prf"], to_byte(idx, 32))
    m = h_msg(n, r + key["root"] + to_byte(idx, n), m)
    sig = to_byte(idx, index_bytes(parameters)) + r
    for layer in range(layers):
        idx, leaf = idx >> tree_height, idx % 2**tree_height
        levels = tree_of(key, layer, idx)
        sig += tree_sig(n, key, m, levels, layer, idx, leaf)
        m = levels[-1][0]
    return sig


def verify(parameters, root, seed, m, sig):
    """Algorithms 14 and 17."""
    n, height, d = parameters
    layers = d or 1
    tree_height, at = height // layers, index_bytes(parameters)
    if len(sig) != at + n + (layers * (2 * n + 3) + height) * n:
        return False
    idx, values = int.from_bytes(sig[:at], "big"), [sig[k : k + n] for k in range(at, len(sig), n)]
    if idx >= 2**height:
        return False
    node = h_msg(n, values.pop(0) + root + to_byte(idx, n), m)
    for layer in range(layers):
        idx, leaf = idx >> tree_height, idx % 2**tree_height
        wots, auth, values = values[: 2 * n + 3], values[2 * n + 3 :][:tree_height], values[2 * n + 3 + tree_height :]
        node = root_from_sig(n, leaf, wots, auth, node, seed, layer, idx)
    return node == root


# The vectors ----------------------------------------------------------------------------------------------------------

SETS = [(n, h_, None) for n in (24, 32, 64) for h_ in (2, 3, 4)] + [
    (n, h_, d) for n in (24, 32, 64) for h_, d in ((2, 2), (4, 2), (3, 3))
]


def rows():
    """Every index of every set; the message at index i is i bytes of i."""
    for parameters in SETS:
        n, height, d = parameters
        seeds = bytes(range(3 * n))
        # SP 800-208 brought n = 24, so nothing older has it.
        for derivation in ("sp800-208", "legacy")[: 1 if n == 24 else 2]:
            key = key_gen(parameters, derivation, seeds)
            signatures = []
            for idx in range(2**height):
                message = bytes([idx] * idx)
                signature = sign(key, idx, message)
                assert verify(parameters, key["root"], key["pub_seed"], message, signature)
                assert not verify(parameters, key["root"], key["pub_seed"], message + b"!", signature)
                signatures.append(hashlib.sha256(signature).hexdigest())
            first = sign(key, 0, b"") if derivation == "sp800-208" and height == 2 else b""
            yield {
                "n": n,
                "h": height,
                "d": d,
                "derivation": derivation,
                "seeds": seeds.hex(),
                "root": key["root"].hex(),
                "first_signature": first.hex() or None,
                "signatures_sha256": signatures,
            }


def text():
    head = {
        "kind": "xmss",
        "source": "spec/xmss.py",
        "message": "at index i: i bytes of value i",
    }
    fields = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in head.items()]
    lines = ",\n".join(json.dumps(row) for row in rows())
    return "{\n" + ",\n".join([*fields, '"vectors": [\n' + lines + "\n]"]) + "\n}\n"


def main(arguments):
    if arguments == ["--write"]:
        FILE.write_text(text())
        return 0
    if arguments == ["--check"]:
        if FILE.read_text() == text():
            return 0
        print(f"{FILE} is not what the definition gives; if it was meant to change: python3 spec/xmss.py --write")
        return 1
    print(__doc__)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
