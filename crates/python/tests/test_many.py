"""Many messages in one call."""

import ctypes
import hashlib
import io
import itertools
import signal
import sys
import threading

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


@pytest.mark.parametrize("out", [ctypes.create_string_buffer(64), numpy.zeros(8, "datetime64[s]")], ids=type)
def test_out_of_other_types(out):
    hashlanes.sha256_many([b"one", b"two"], out=out)
    assert memoryview(out.view("u1") if hasattr(out, "view") else out).tobytes() == b"".join(digests([b"one", b"two"]))


def test_out_stays_in_place():
    out = bytearray(32)

    def messages():
        out.clear()
        yield b""

    with pytest.raises(BufferError):
        hashlanes.sha256_many(messages(), out=out)
    assert out == bytes(32)


@pytest.mark.parametrize("collect", [list, tuple, iter])
def test_out_overlaps_a_message(collect):
    memory = bytearray(b"x" * 96)
    messages = [b"", memoryview(memory)[:32], memoryview(memory)[40:80]]
    with pytest.raises(ValueError, match=r"^out: the buffer overlaps messages\[2\]$"):
        hashlanes.sha256_many(collect(messages[:1] + messages[:1] + messages[2:]), out=memory)
    assert memory == b"x" * 96
    assert hashlanes.sha256_many(collect(messages[:2]), out=memoryview(memory)[32:])[:32] == digests([b""])[0]


def test_out_overlaps_reversed_rows():
    rows = numpy.zeros((4000, 64), numpy.uint8)
    for messages in (rows[::-1], list(rows[::-1])):
        with pytest.raises(ValueError, match=r"^out: the buffer overlaps messages\[2000\]$"):
            hashlanes.sha256_many(messages, out=rows.reshape(-1)[: 32 * 4000])


@pytest.mark.parametrize("n_bytes", [100, 5 << 20])
@pytest.mark.parametrize("view", [memoryview, lambda buffer: memoryview(buffer).toreadonly(), numpy.asarray])
def test_reused_buffer(n_bytes, view):
    data = bytes(i * 7 % 251 for i in range(1000)) * (n_bytes // 50)
    buffer = bytearray(n_bytes)

    def messages():
        file = io.BytesIO(data)
        while n := file.readinto(buffer):
            yield view(buffer)[:n]

    assert hashlanes.sha256_many(messages()) == digests(data[at : at + n_bytes] for at in range(0, len(data), n_bytes))


def test_more_messages_than_out_holds():
    for messages in (itertools.repeat(b"a"), iter([b"a"] * 4)):
        out = bytearray(96)
        with pytest.raises(ValueError, match="^out: 96 bytes; the digests have more$"):
            hashlanes.sha256_many(messages, out=out)
        assert out == bytes(96)
    with pytest.raises(ValueError, match="^out: 100 bytes; the digests have 96$"):
        hashlanes.sha256_many(iter([b"a"] * 3), out=bytearray(100))


def test_length_is_checked_first():
    class Messages:
        def __len__(self):
            return 2

        def __iter__(self):
            return iter([b"a"] * n_messages)

    out = bytearray(96)
    for messages in ([b"a"] * 2, [b"a"] * 4, numpy.zeros((2, 5))):
        with pytest.raises(ValueError, match=f"^out: 96 bytes; the digests have {32 * len(messages)}$"):
            hashlanes.sha256_many(messages, out=out)
        assert out == bytes(96)
    for n_messages, text in ((1, "the digests have 32"), (3, "the digests have more")):  # A length that is wrong.
        with pytest.raises(ValueError, match=f"^out: 64 bytes; {text}$"):
            hashlanes.sha256_many(Messages(), out=bytearray(64))


def test_interrupt():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # Programs in the background ignore it.
    try:
        threading.Timer(0.1, signal.raise_signal, [signal.SIGINT]).start()
        with pytest.raises(KeyboardInterrupt):
            hashlanes.sha256_many(itertools.repeat(bytes(1000)))
    finally:
        signal.signal(signal.SIGINT, before)


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
