"""Many messages in one call."""

import hashlib
import sys

import hashlanes
import numpy
import pytest


def digests(messages):
    return [hashlib.sha256(message).digest() for message in messages]


MESSAGES = [bytes([i % 256]) * (i * 7 % 300) for i in range(3000)]


@pytest.mark.parametrize("n", [0, 1, 2, 17, 1023, 1024, 1025, 3000])
def test_digests(n):
    messages = MESSAGES[:n]
    assert hashlanes.sha256_many(messages) == digests(messages)
    assert hashlanes.sha256_many(iter(messages)) == digests(messages)


def test_buffers_among_bytes():
    messages = [b"bytes", bytearray(b"array"), memoryview(b"view"), numpy.arange(5)]
    assert hashlanes.sha256_many(messages) == digests(messages)


@pytest.mark.parametrize("n", [0, 1, 1024, 2500])
def test_out(n):
    expected = b"".join(digests(MESSAGES[:n]))
    array = numpy.zeros((n, 32), numpy.uint8)
    assert hashlanes.sha256_many(MESSAGES[:n], out=array) is array
    assert array.tobytes() == expected
    assert bytes(hashlanes.sha256_many(MESSAGES[:n], out=bytearray(32 * n))) == expected


def test_out_of_messages_memory():
    memory = bytearray(b"x" * 32)
    hashlanes.sha256_many([memory], out=memory)
    assert memory == hashlib.sha256(b"x" * 32).digest()


def test_wrong_arguments():
    with pytest.raises(TypeError, match=r"messages\[1030\]: strings must be encoded"):
        hashlanes.sha256_many([b""] * 1030 + ["text"])
    with pytest.raises(TypeError, match=r"messages\[0\]: expected bytes or another buffer, not int"):
        hashlanes.sha256_many(b"bytes")
    with pytest.raises(TypeError, match="messages: expected an iterable of buffers, not int"):
        hashlanes.sha256_many(5)
    with pytest.raises(ValueError, match=r"messages\[1\]: the buffer is not C-contiguous"):
        hashlanes.sha256_many([b"", numpy.arange(10)[::2]])
    with pytest.raises(ValueError, match="out: 64 bytes; the digests have 96"):
        hashlanes.sha256_many([b""] * 3, out=bytearray(64))
    with pytest.raises(ValueError, match="out: 128 bytes; the digests have 96"):
        hashlanes.sha256_many([b""] * 3, out=bytearray(128))
    with pytest.raises(ValueError, match="out: the buffer is read-only"):
        hashlanes.sha256_many([b""], out=bytes(32))
    with pytest.raises(ValueError, match="out: the buffer is not C-contiguous"):
        hashlanes.sha256_many([b""], out=numpy.zeros((1, 64), numpy.uint8)[:, ::2])
    with pytest.raises(TypeError, match="out: the buffer holds Python objects, not bytes"):
        hashlanes.sha256_many([b""], out=numpy.empty((1, 4), dtype=object))
    with pytest.raises(TypeError, match="out: expected bytes or another buffer, not list"):
        hashlanes.sha256_many([b""], out=[])


def test_error_of_the_iterator():
    def messages():
        yield b"one"
        raise KeyError("two")

    with pytest.raises(KeyError, match="two"):
        hashlanes.sha256_many(messages())


def test_no_leak():
    messages = [b"message", bytearray(b"buffer")] * 1000
    before = [sys.getrefcount(message) for message in messages[:2]]
    for _ in range(500):
        hashlanes.sha256_many(messages)
        with pytest.raises(TypeError):
            hashlanes.sha256_many([*messages, 5])
    assert [sys.getrefcount(message) for message in messages[:2]] == before
