#!/usr/bin/env python3
"""The tree modes, defined: plain Python over a standard hash library, to be read next to the fast code.

usage: tree.py --check   recompute vectors/tree.json, and compare with vectors/tree-outside.json
       tree.py --write   write vectors/tree.json

Messages and digests are byte strings, `+` joins them. HASH is SHA-1, SHA-256, SHA-384 or SHA-512, named as in
hashlib; B is its block's length in bytes, W its word's, D its digest's. Every function states its rule and
refuses, with `Refused`, what the mode does not define. Which vectors are published is told in tree_vectors.py.

  sections                            | source
  1 j-lanes, 2 j-pointers             | S. Gueron, "Parallelized Hashing via j-Lanes and j-Pointers Tree Modes, with
                                      | Applications to SHA-256" (2014); what that leaves open is settled here as v1
  3 mh_sha1, mh_sha256                | the multi-hash functions of storage software, libisal_crypto
  4 parallel_hash                     | the BIKE submission, as carried by s2n-tls; not ParallelHash of SP 800-185
  5 fs-verity, 6 dm-verity            | the Linux kernel's documentation: filesystems/fsverity, device-mapper/verity
  7 bep52                             | BEP 52, The BitTorrent Protocol Specification v2
  8 glacier, 9 s3-composite           | the developer guides of Amazon S3 Glacier and Amazon S3
  10 rfc6962                          | RFC 6962, section 2.1; the checks of proofs: RFC 9162, section 2.1
  11 ssz                              | Ethereum's consensus specifications, SimpleSerialize: Merkleization
"""

import base64
import hashlib
import math
import struct
import sys
import uuid as uuids


class Refused(Exception):
    """The mode does not define a result for this input."""


def refuse_unless(condition, why):
    if not condition:
        raise Refused(why)


HASHES = ("sha1", "sha256", "sha384", "sha512")


def digest(hash_name, message):
    """HASH(message), as FIPS 180-4 defines it, with its own padding."""
    return hashlib.new(hash_name, message).digest()


def sha256(message):
    return digest("sha256", message)


def block_bytes(hash_name):
    """B: 64 for SHA-1 and SHA-256, 128 for SHA-384 and SHA-512."""
    return hashlib.new(hash_name).block_size


def word_bytes(hash_name):
    """W: a block is 16 words."""
    return block_bytes(hash_name) // 16


def u32be(number):
    return struct.pack(">I", number)


def pieces(message, size):
    """The message cut every `size` bytes; the last piece may be short; an empty message has none."""
    return [message[start : start + size] for start in range(0, len(message), size)]


def zero_filled(message, size):
    """The message and as many zeros as make its length the next multiple of `size`."""
    return message + bytes(-len(message) % size)


def power_of_two_from(number):
    """The least power of two that is not below `number`; 1 for 0."""
    return 1 if number == 0 else 1 << (number - 1).bit_length()


def is_power_of_two(number):
    return number > 0 and number & (number - 1) == 0


# 1. j-lanes -----------------------------------------------------------------------------------------------------------
#
#   message     word 0 | word 1 | ... | word j-1 | word j | ...
#   goes to     lane 0 | lane 1 | ... | lane j-1 | lane 0 | ...
#   result      HASH(Pre(j) + h_0 + ... + h_{j-1}), h_i = HASH(Pre(i) + slice_i)

LANES, POINTERS = 0, 1  # the field `type` of a prefix block


def prefix_block(hash_name, j, i, kind):
    """Pre(j, i, type) = u32be(j) + u32be(i) + u32be(type) + NAME + zeros, B bytes in all.

    NAME is `SHA1`, `SHA256`, `SHA384` or `SHA512` in ASCII, zero-filled to 16 bytes.
    """
    name = zero_filled(hash_name.upper().encode("ascii"), 16)
    return zero_filled(u32be(j) + u32be(i) + u32be(kind) + name, block_bytes(hash_name))


def prefix(version, hash_name, j, i, kind):
    """What stands before the i-th of the j + 1 hashed strings; i = j is the last, the hash of digests.

    v1 distinguishes every hash from every other. The paper's two further options are kept to reproduce it: v1s has one
    prefix for all, so that a lane's digest is also the result of another message; v1n has none, so that the
    result is also the plain hash of another message. Soundness is argued for v1 alone.
    """
    if version == "v1":
        return prefix_block(hash_name, j, i, kind)
    if version == "v1s":
        return prefix_block(hash_name, j, 0, kind)
    refuse_unless(version == "v1n", f"no version {version}")
    return b""


def hash_of_slices(version, hash_name, kind, slices):
    """HASH(Pre(j, j) + h_0 + ... + h_{j-1}), h_i = HASH(Pre(j, i) + slice_i). Each hash pads its prefix block too."""
    j = len(slices)
    refuse_unless(1 <= j <= 255, f"{j} slices are not 1 to 255")
    digests = [
        digest(hash_name, prefix(version, hash_name, j, i, kind) + slices[i])
        for i in range(j)
    ]
    return digest(hash_name, prefix(version, hash_name, j, j, kind) + b"".join(digests))


def interleaved_slices(message, word, j):
    """Byte k goes to lane (k div W) mod j, order kept. The last word may be short, and a lane empty."""
    slices = [bytearray() for _ in range(j)]
    for n, word_of_message in enumerate(pieces(message, word)):
        slices[n % j] += word_of_message
    return slices


def j_lanes(version, hash_name, j, message):
    slices = interleaved_slices(message, word_bytes(hash_name), j)
    return hash_of_slices(version, hash_name, LANES, slices)


# 2. j-pointers --------------------------------------------------------------------------------------------------------


def contiguous_slices(message, block, j):
    """j slices of S = B * ceil(N / (j * B)) bytes; the last ones are shorter, perhaps empty."""
    size = block * -(-len(message) // (j * block))
    return [message[i * size : (i + 1) * size] for i in range(j)]


def j_pointers(version, hash_name, j, message):
    slices = contiguous_slices(message, block_bytes(hash_name), j)
    return j_pointers_scattered(version, hash_name, slices)


def j_pointers_scattered(version, hash_name, slices):
    """j buffers of any lengths are the slices themselves."""
    return hash_of_slices(version, hash_name, POINTERS, slices)


# 3. mh_sha1 and mh_sha256: the compression functions of FIPS 180-4 ----------------------------------------------------

MASK = 0xFFFFFFFF


def rotl(x, n):
    return (x << n | x >> (32 - n)) & MASK


def rotr(x, n):
    return rotl(x, 32 - n)


def ch(x, y, z):
    return x & y ^ ~x & z


def parity(x, y, z):
    return x ^ y ^ z


def maj(x, y, z):
    return x & y ^ x & z ^ y & z


def cube_root(number):
    """The greatest integer whose cube is not above `number`."""
    low, high = 0, number + 1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**3 <= number else (low, middle)
    return low


PRIMES = [n for n in range(2, 312) if all(n % divisor for divisor in range(2, n))]
assert len(PRIMES) == 64

# FIPS 180-4, 5.3.1 and 5.3.3: SHA-256 begins with the first 32 bits of the fractions of the primes' square roots.
SHA1_INITIAL = (0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0)
SHA256_INITIAL = tuple(math.isqrt(prime << 64) & MASK for prime in PRIMES[:8])

# FIPS 180-4, 4.1.1 and 4.2.1: function and constant of every twenty rounds.
SHA1_ROUNDS = ((ch, 0x5A827999), (parity, 0x6ED9EBA1), (maj, 0x8F1BBCDC), (parity, 0xCA62C1D6))

# FIPS 180-4, 4.2.2: the first 32 bits of the fractions of the primes' cube roots.
SHA256_K = [cube_root(prime << 96) & MASK for prime in PRIMES]


def sha1_compress(state, block):
    """FIPS 180-4, 6.1.2."""
    w = list(struct.unpack(">16I", block))
    for t in range(16, 80):
        w.append(rotl(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1))
    a, b, c, d, e = state
    for t in range(80):
        f, k = SHA1_ROUNDS[t // 20]
        a, b, c, d, e = (rotl(a, 5) + f(b, c, d) + e + k + w[t]) & MASK, a, rotl(b, 30), c, d
    return tuple((old + new) & MASK for old, new in zip(state, (a, b, c, d, e)))


def sha256_compress(state, block):
    """FIPS 180-4, 6.2.2."""
    w = list(struct.unpack(">16I", block))
    for t in range(16, 64):
        small_sigma0 = rotr(w[t - 15], 7) ^ rotr(w[t - 15], 18) ^ w[t - 15] >> 3
        small_sigma1 = rotr(w[t - 2], 17) ^ rotr(w[t - 2], 19) ^ w[t - 2] >> 10
        w.append((small_sigma1 + w[t - 7] + small_sigma0 + w[t - 16]) & MASK)
    a, b, c, d, e, f, g, h = state
    for t in range(64):
        t1 = h + (rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25)) + ch(e, f, g) + SHA256_K[t] + w[t]
        t2 = (rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22)) + maj(a, b, c)
        a, b, c, d, e, f, g, h = (t1 + t2) & MASK, a, b, c, (d + t1) & MASK, e, f, g
    return tuple((old + new) & MASK for old, new in zip(state, (a, b, c, d, e, f, g, h)))


# The modes. j = 16 lanes, without prefixes, and one padding for the whole message.

MH_LANES = 16
MH_BLOCK = 1024  # a 64-byte block for every lane


def mh_padded(message):
    """The message, 0x80, zeros, and the bit length as u64be in the last 8 bytes of a 1024-byte block.

    libisal_crypto keeps the length in 32 bits: from 2^32 bytes on its results are others.
    """
    zeros = bytes(-(len(message) + 1 + 8) % MH_BLOCK)
    return message + b"\x80" + zeros + struct.pack(">Q", 8 * len(message))


def mh_lane_block(block, lane):
    """A lane's 64-byte block: its word t is 32-bit word 16 * t + lane of the 1024-byte block."""
    words = pieces(block, 4)
    return b"".join(words[16 * t + lane] for t in range(16))


def mh(hash_name, initial, compress, message):
    """HASH of the lanes' raw states, word 0 of lanes 0 to 15, then word 1, ...; each word little-endian.

    The result is u32 words, which are written here, as everywhere, big-endian: `%08x`, word 0 first.
    """
    states = [initial] * MH_LANES
    for block in pieces(mh_padded(message), MH_BLOCK):
        states = [compress(states[lane], mh_lane_block(block, lane)) for lane in range(MH_LANES)]
    words = [states[lane][word] for word in range(len(initial)) for lane in range(MH_LANES)]
    return digest(hash_name, b"".join(struct.pack("<I", word) for word in words))


def mh_sha1(message):
    return mh("sha1", SHA1_INITIAL, sha1_compress, message)


def mh_sha256(message):
    return mh("sha256", SHA256_INITIAL, sha256_compress, message)


# 4. parallel_hash -----------------------------------------------------------------------------------------------------

# A slice of 128 * alpha + 111 bytes fills its last SHA-384 block exactly, padding included.
PARALLEL_SLICES = 8
PARALLEL_REST = 111


def parallel_hash(message):
    """SHA384(X_0 + ... + X_7 + Y): X_i the digests of eight equal slices, Y what is left of the message.

    alpha = ((la div 8) - 111) div 128 and ls = 128 * alpha + 111, where la is the message's length.
    """
    la = len(message)
    least = PARALLEL_SLICES * PARALLEL_REST
    refuse_unless(la >= least, f"parallel_hash needs {least} bytes or more, not {la}")
    alpha = (la // PARALLEL_SLICES - PARALLEL_REST) // 128
    ls = 128 * alpha + PARALLEL_REST
    slices = [message[i * ls : (i + 1) * ls] for i in range(PARALLEL_SLICES)]
    rest = message[PARALLEL_SLICES * ls :]
    return digest("sha384", b"".join(digest("sha384", x) for x in slices) + rest)


# 5, 6. Trees of blocks: fs-verity and dm-verity -----------------------------------------------------------------------
#
#   The message's blocks are hashed. The digests fill blocks in their turn, zero-filled, which are the next level, until
#   one digest is left: the root. A message of one block has no level above it: the root is that block's digest.


def levels_above(hash_block, block_size, digests):
    """(levels, root): every level is a byte string of whole blocks full of digests, the lowest level first.

    The digests have a length that divides a block's.
    """
    per_block = block_size // len(digests[0])
    refuse_unless(per_block >= 2, f"a block of {block_size} bytes does not hold two digests")
    levels = []
    while len(digests) > 1:
        level = zero_filled(b"".join(digests), block_size)
        levels.append(level)
        digests = [hash_block(block) for block in pieces(level, block_size)]
    return levels, digests[0]


FS_VERITY_HASHES = {"sha256": 1, "sha512": 2}  # numbers of the kernel's interface


def fs_verity_tree(hash_name, block_size, salt, message):
    """(levels, root) of fs-verity. A salt, zero-filled to the hash's block, is hashed before every block.

    The last block of the message is zero-filled. An empty message's root is all zeros.
    """
    refuse_unless(hash_name in FS_VERITY_HASHES, f"fs-verity has no hash {hash_name}")
    refuse_unless(is_power_of_two(block_size) and block_size >= 1024, f"no power of two from 1024: {block_size}")
    refuse_unless(len(salt) <= 32, f"a salt of {len(salt)} bytes is above 32")
    salt_block = zero_filled(salt, block_bytes(hash_name))

    def hash_block(block):
        return digest(hash_name, salt_block + zero_filled(block, block_size))

    if not message:
        return [], bytes(len(digest(hash_name, b"")))
    return levels_above(hash_block, block_size, [hash_block(block) for block in pieces(message, block_size)])


def fs_verity_descriptor(hash_name, block_size, salt, n_bytes, root):
    """struct fsverity_descriptor: 256 bytes, numbers little-endian."""
    log_block_size = block_size.bit_length() - 1
    head = struct.pack("<BBBBIQ", 1, FS_VERITY_HASHES[hash_name], log_block_size, len(salt), 0, n_bytes)
    return zero_filled(head + zero_filled(root, 64) + salt, 256)


def fs_verity(hash_name, block_size, salt, message):
    """The file digest: HASH(descriptor), without salt."""
    _, root = fs_verity_tree(hash_name, block_size, salt, message)
    return digest(hash_name, fs_verity_descriptor(hash_name, block_size, salt, len(message), root))


def dm_verity_tree(hash_name, block_size, salt, message):
    """(levels, root) of dm-verity, format 1. The salt, as it is, is hashed before every block.

    Digests in a level are zero-filled to a power of two; the root is not. Only whole blocks can be hashed.
    """
    whole = message and len(message) % block_size == 0
    refuse_unless(whole, f"dm-verity needs whole blocks of {block_size} bytes, one or more, not {len(message)} bytes")
    refuse_unless(len(salt) <= 256, f"a salt of {len(salt)} bytes is above 256")

    def hash_block(block):
        whole_digest = digest(hash_name, salt + block)
        return zero_filled(whole_digest, power_of_two_from(len(whole_digest)))

    digests = [hash_block(block) for block in pieces(message, block_size)]
    levels, root = levels_above(hash_block, block_size, digests)
    return levels, root[: len(digest(hash_name, b""))]


def dm_verity_superblock(hash_name, block_size, salt, uuid, n_blocks):
    """The 512-byte superblock, version 1, hash type 1, numbers little-endian; data and hash blocks are equally long.

    Signature, version, hash type, UUID, hash name, both block sizes, number of data blocks, salt's length, the salt at
    byte 88.
    """
    fields = struct.pack("<8sII16s32s", b"verity", 1, 1, uuids.UUID(uuid).bytes, hash_name.encode("ascii"))
    fields += struct.pack("<IIQH6x", block_size, block_size, n_blocks, len(salt))
    return zero_filled(fields + salt, 512)


def dm_verity_hash_file(hash_name, block_size, salt, uuid, message):
    """The hash device: the superblock in a block of its own, unless `uuid` is None; then the levels, top first."""
    levels, _ = dm_verity_tree(hash_name, block_size, salt, message)
    tree = b"".join(reversed(levels))
    if uuid is None:
        return tree
    superblock = dm_verity_superblock(hash_name, block_size, salt, uuid, len(message) // block_size)
    return zero_filled(superblock, block_size) + tree


# 7 to 9. bep52, glacier, s3-composite ---------------------------------------------------------------------------------

BEP52_BLOCK = 16 * 1024


def paired(nodes):
    """One level up a full binary tree: SHA-256(l + r)."""
    return [sha256(nodes[n] + nodes[n + 1]) for n in range(0, len(nodes), 2)]


def bep52_leaves(message):
    """SHA-256 of every block of 16 KiB, the last one short, then zeros for digests up to a power of two of them."""
    refuse_unless(message, "an empty file has no pieces root")
    leaves = [sha256(block) for block in pieces(message, BEP52_BLOCK)]
    return leaves + [bytes(32)] * (power_of_two_from(len(leaves)) - len(leaves))


def bep52_root(message):
    """The `pieces root`."""
    nodes = bep52_leaves(message)
    while len(nodes) > 1:
        nodes = paired(nodes)
    return nodes[0]


def bep52_piece_layer(piece_length, message):
    """The nodes that cover one piece each, those of padding alone left out. A file of one piece has no layer."""
    valid = is_power_of_two(piece_length) and piece_length >= BEP52_BLOCK
    refuse_unless(valid, f"a piece length is a power of two from {BEP52_BLOCK}, not {piece_length}")
    nodes = bep52_leaves(message)
    if len(message) <= piece_length:
        return []
    while len(nodes) * piece_length > power_of_two_from(len(message)):
        nodes = paired(nodes)
    return nodes[: len(pieces(message, piece_length))]


GLACIER_CHUNK = 1024 * 1024


def glacier(message):
    """SHA-256 of every chunk of 1 MiB; SHA-256(l + r) level by level, a last odd node goes up as it is.

    An empty message is one empty chunk.
    """
    nodes = [sha256(chunk) for chunk in pieces(message, GLACIER_CHUNK)] or [sha256(b"")]
    while len(nodes) > 1:
        promoted = nodes[-1:] if len(nodes) % 2 else []
        nodes = paired(nodes[: len(nodes) - len(promoted)]) + promoted
    return nodes[0]


def s3_composite(part_size, message):
    """base64(SHA-256(SHA-256(part 1) + SHA-256(part 2) + ...)), `-`, and the number of parts.

    An empty message is one empty part: an upload has one at least.
    """
    refuse_unless(part_size > 0, "a part has one byte or more")
    parts = pieces(message, part_size) or [b""]
    whole = sha256(b"".join(sha256(part) for part in parts))
    return f"{base64.b64encode(whole).decode('ascii')}-{len(parts)}"


# 10. rfc6962 ----------------------------------------------------------------------------------------------------------
#
#   MTH, PATH, PROOF and SUBPROOF are the functions of RFC 6962, section 2.1, with their recursion and their letters:
#   D[n] is the list of leaves, k the largest power of two below n.


def rfc6962_leaf(leaf):
    return sha256(b"\x00" + leaf)


def rfc6962_node(left, right):
    return sha256(b"\x01" + left + right)


def split(n):
    """k: the largest power of two below n, where n is 2 or more."""
    return 1 << ((n - 1).bit_length() - 1)


def mth(d):
    """RFC 6962, 2.1: the Merkle tree hash; of no leaves the hash of nothing."""
    if not d:
        return sha256(b"")
    if len(d) == 1:
        return rfc6962_leaf(d[0])
    k = split(len(d))
    return rfc6962_node(mth(d[:k]), mth(d[k:]))


def path(m, d):
    """RFC 6962, 2.1.1: the inclusion proof of leaf m (counted from 0), the node nearest to the leaf first."""
    n = len(d)
    refuse_unless(0 <= m < n, f"no leaf {m} in a tree of {n}")
    if n == 1:
        return []
    k = split(n)
    if m < k:
        return path(m, d[:k]) + [mth(d[k:])]
    return path(m - k, d[k:]) + [mth(d[:k])]


def proof(m, d):
    """RFC 6962, 2.1.2: the consistency proof from the first m leaves, one at least, to all."""
    refuse_unless(0 < m <= len(d), f"no tree of the first {m} leaves, one or more, of {len(d)}")
    return subproof(m, d, True)


def subproof(m, d, known):
    """`known`: the verifier has the root of d[0:m], which the proof then leaves out."""
    n = len(d)
    if m == n:
        return [] if known else [mth(d)]
    k = split(n)
    if m <= k:
        return subproof(m, d[:k], known) + [mth(d[k:])]
    return subproof(m - k, d[k:], False) + [mth(d[:k])]


def inclusion_holds(leaf_hash, index, size, nodes, root):
    """RFC 9162, 2.1.3.2, with its fn, sn and r: whether the proof shows the leaf in the tree."""
    if not 0 <= index < size:
        return False
    fn, sn, r = index, size - 1, leaf_hash
    for p in nodes:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            r = rfc6962_node(p, r)
            while not fn & 1 and fn != 0:
                fn, sn = fn >> 1, sn >> 1
        else:
            r = rfc6962_node(r, p)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and r == root


def consistency_holds(first, second, nodes, first_root, second_root):
    """RFC 9162, 2.1.4.2, with its fn, sn, fr and sr: whether the tree of `second` leaves begins with that of `first`.

    RFC 9162 leaves first = second out: the proof is empty then, and the roots are equal.
    """
    if not 0 < first <= second:
        return False
    if first == second:
        return not nodes and first_root == second_root
    if not nodes:
        return False
    nodes = [first_root] + nodes if is_power_of_two(first) else nodes
    fn, sn = first - 1, second - 1
    while fn & 1:
        fn, sn = fn >> 1, sn >> 1
    fr = sr = nodes[0]
    for c in nodes[1:]:
        if sn == 0:
            return False
        if fn & 1 or fn == sn:
            fr, sr = rfc6962_node(c, fr), rfc6962_node(c, sr)
            while not fn & 1 and fn != 0:
                fn, sn = fn >> 1, sn >> 1
        else:
            sr = rfc6962_node(sr, c)
        fn, sn = fn >> 1, sn >> 1
    return sn == 0 and fr == first_root and sr == second_root


# 11. ssz --------------------------------------------------------------------------------------------------------------

SSZ_CHUNK = 32


def ssz_merkleize(chunks, limit):
    """The root over the chunks and as many zero chunks as make `limit`, rounded up to a power of two.

    Without a limit (None) it is the number of chunks. At each level an odd last node is paired with the root of a
    subtree of zeros, so that the zero chunks cost nothing.
    """
    limit = len(chunks) if limit is None else limit
    refuse_unless(len(chunks) <= limit, f"{len(chunks)} chunks are above the limit of {limit}")
    depth = power_of_two_from(limit).bit_length() - 1
    nodes, zero = chunks, bytes(SSZ_CHUNK)
    for _ in range(depth):
        nodes = paired(nodes + [zero] * (len(nodes) % 2))
        zero = sha256(zero + zero)
    return nodes[0] if nodes else zero


def ssz(limit, mix_in_length, message):
    """The root of the message's chunks of 32 bytes, the last one zero-filled; `limit` counts chunks.

    With `mix_in_length`, not None, SHA-256(root + that length as u256le): a list's root, which binds its number of
    elements.
    """
    root = ssz_merkleize(pieces(zero_filled(message, SSZ_CHUNK), SSZ_CHUNK), limit)
    if mix_in_length is None:
        return root
    return sha256(root + mix_in_length.to_bytes(32, "little"))


if __name__ == "__main__":
    import tree_vectors

    sys.exit(tree_vectors.main(sys.argv[1:]))
