"""XMSS signatures, and AEGIS."""

import json
from pathlib import Path

import hashlanes
import numpy
import pytest

VECTORS = Path(__file__).parents[3] / "spec/vectors"
SIGNED = json.loads((VECTORS / "xmss-import.json").read_text())["vectors"]


@pytest.mark.parametrize("vector", SIGNED, ids=lambda vector: f"{vector['name']} {vector['source'][:12]}")
def test_signatures_of_others(tmp_path, vector):
    key, signature = bytes.fromhex(vector["public_key"]), bytes.fromhex(vector["signature"])
    message = f"message-{vector['next'] - 1}".encode()
    hashlanes.xmss.verify(key, message, signature)
    (tmp_path / "file").write_bytes(message)
    progress = []
    hashlanes.xmss.verify_file(key, tmp_path / "file", bytearray(signature), progress=progress.append)
    assert sum(progress) == len(message)
    with pytest.raises(hashlanes.VerificationError, match="the signature is not valid"):
        hashlanes.xmss.verify(key, message + b"x", signature)
    with pytest.raises(hashlanes.VerificationError, match="signature: .* bytes"):
        hashlanes.xmss.verify(key, message, signature[:-1])


def test_wrong_keys_and_files(tmp_path):
    with pytest.raises(hashlanes.FormatError, match="public_key: neither PEM nor DER"):
        hashlanes.xmss.verify(b"key", b"message", b"signature")
    with pytest.raises(TypeError, match="message: strings must be encoded"):
        hashlanes.xmss.verify(b"key", "message", b"signature")
    key, signature = (bytes.fromhex(SIGNED[0][name]) for name in ("public_key", "signature"))
    with pytest.raises(FileNotFoundError):
        hashlanes.xmss.verify_file(key, tmp_path / "missing", signature)
    with pytest.raises(IsADirectoryError):
        hashlanes.xmss.verify_file(key, tmp_path, signature)

    with pytest.raises(TypeError, match="^path: expected str, bytes or os.PathLike object, not int"):
        hashlanes.xmss.verify_file(key, 5, signature)

    def stop(n_bytes):
        raise KeyError(n_bytes)

    with pytest.raises(KeyError):
        hashlanes.xmss.verify_file(key, __file__, signature, progress=stop)


OFFICIAL = json.loads((VECTORS / "aegis-cfrg.json").read_text())


def test_aegis_official_vectors():
    n_checked = 0
    for vector in OFFICIAL["vectors"]:
        if vector.get("cipher") not in ("aegis-128l", "aegis-256") or "ct" not in vector:
            continue
        parts = {name: bytes.fromhex(vector.get(name, "")) for name in ("key", "nonce", "ad", "msg", "ct")}
        for n, tag in ((16, vector.get("tag128")), (32, vector.get("tag256"))):
            if tag is None or "msg" not in vector:
                continue
            sealed = hashlanes.aegis.seal(parts["key"], parts["nonce"], parts["msg"], parts["ad"], tag_bytes=n)
            assert sealed == parts["ct"] + bytes.fromhex(tag)
            n_checked += 1
    assert n_checked > 4


@pytest.mark.parametrize("key_bytes", [16, 32])
@pytest.mark.parametrize("tag_bytes", [16, 32])
@pytest.mark.parametrize("n_bytes", [0, 1, 1000, 100_000])
def test_aegis_there_and_back(key_bytes, tag_bytes, n_bytes):
    key, nonce, message = bytes(range(key_bytes)), bytearray(key_bytes), bytes(n_bytes)
    seal, open = hashlanes.aegis.seal, hashlanes.aegis.open
    sealed = seal(key, nonce, message, b"header", tag_bytes=tag_bytes)
    assert len(sealed) == n_bytes + tag_bytes
    assert open(key, nonce, numpy.frombuffer(sealed, numpy.uint8), b"header", tag_bytes=tag_bytes) == message
    changed = bytes([sealed[0] ^ 1]) + sealed[1:]
    for wrong in [(changed, b"header"), (sealed, b"other"), (sealed[:-1], b"header"), (b"short", None)]:
        with pytest.raises(hashlanes.VerificationError):
            open(key, nonce, *wrong, tag_bytes=tag_bytes)


def test_aegis_wrong_arguments():
    with pytest.raises(ValueError, match="key: 5 bytes; AEGIS-128L has keys of 16 bytes, AEGIS-256 of 32"):
        hashlanes.aegis.seal(bytes(5), bytes(16), b"")
    with pytest.raises(ValueError, match="nonce: 32 bytes; AEGIS-128L takes 16"):
        hashlanes.aegis.seal(bytes(16), bytes(32), b"")
    with pytest.raises(ValueError, match="tag_bytes: 8; tags have 16 or 32 bytes"):
        hashlanes.aegis.open(bytes(16), bytes(16), b"", tag_bytes=8)
    for number in (-1, 2**64):
        with pytest.raises(ValueError, match=f"^tag_bytes: {number} is out of range"):
            hashlanes.aegis.seal(bytes(16), bytes(16), b"", tag_bytes=number)
    with pytest.raises(TypeError, match="^tag_bytes: 'str' object cannot be interpreted as an integer"):
        hashlanes.aegis.open(bytes(16), bytes(16), b"", tag_bytes="32")
    with pytest.raises(TypeError, match="associated_data: strings must be encoded"):
        hashlanes.aegis.seal(bytes(16), bytes(16), b"", "text")
