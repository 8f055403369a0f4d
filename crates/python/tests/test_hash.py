"""Hash objects, digests in one call, HMAC, PBKDF2, digests of files."""

import array
import contextlib
import ctypes
import hashlib
import hmac
import io
import multiprocessing
import sys
import threading
from functools import partial

import hashlanes
import numpy
import pytest

NAMES = sorted(hashlanes.algorithms_guaranteed)
LENGTHS = [0, 1, 55, 56, 63, 64, 65, 111, 112, 127, 128, 129, 2047, 2048, 2049, 100_000]


def message(n_bytes: int) -> bytes:
    """Bytes of period 251, so that no two blocks are equal."""
    return bytes(i % 251 for i in range(n_bytes))


def test_names():
    assert NAMES == ["sha1", "sha224", "sha256", "sha384", "sha512", "sha512_224", "sha512_256"]
    assert hashlanes.algorithms_available == hashlanes.algorithms_guaranteed
    assert hashlanes.new("SHA512_256").name == "sha512_256"
    with pytest.raises(ValueError, match='^name: unsupported hash type "sha3_256"; expected one of sha1, '):
        hashlanes.new("sha3_256")
    with pytest.raises(TypeError, match="^name: expected a string, not int"):
        hashlanes.new(5)
    with pytest.raises(ValueError, match="^name: 'utf-8' codec can't encode"):
        hashlanes.new("\ud800")


def test_version():
    assert hashlanes.__version__.count(".") == 2


@pytest.mark.parametrize("name", NAMES)
def test_digests(name):
    for n_bytes in LENGTHS:
        data = message(n_bytes)
        expected = hashlib.new(name, data)
        for ours in (getattr(hashlanes, name)(data), hashlanes.new(name, data), in_parts(name, data)):
            assert ours.digest() == expected.digest()
            assert ours.hexdigest() == expected.hexdigest()
        assert (ours.name, ours.block_size, ours.digest_size) == (
            expected.name,
            expected.block_size,
            expected.digest_size,
        )
        assert repr(ours).startswith(f"<{name} hashlanes.HASH object @ 0x")


def in_parts(name, data):
    hasher = hashlanes.new(name, usedforsecurity=False)
    for at in range(0, len(data), 77):
        hasher.update(data[at : at + 77])
    return hasher


@pytest.mark.parametrize("name", NAMES)
def test_copy(name):
    hasher = hashlanes.new(name, b"one")
    other = hasher.copy()
    other.update(b"two")
    assert hasher.digest() == hashlib.new(name, b"one").digest()
    assert other.digest() == hashlib.new(name, b"onetwo").digest()


def test_one_call():
    for n_bytes in LENGTHS:
        data = message(n_bytes)
        assert hashlanes.sha256_digest(data) == hashlib.sha256(data).digest()
        assert hashlanes.sha256_hexdigest(data) == hashlib.sha256(data).hexdigest()
        assert hashlanes.hmac_sha256(b"key", data) == hmac.digest(b"key", data, "sha256")


class Point(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_double)]


BUFFERS = {
    "bytearray": bytearray(message(100)),
    "memoryview": memoryview(message(100)),
    "items of several bytes": array.array("i", range(100)),
    "two dimensions": numpy.arange(60, dtype=numpy.float64).reshape(6, 10),
    "no bytes": bytearray(),
    "no rows": numpy.empty((0, 7)),
    "no dimensions": numpy.array(5),
    "scalar": numpy.float64(1),
    "string buffer": ctypes.create_string_buffer(b"text"),
    "ctypes array": (ctypes.c_int * 3)(1, 2, 3),
    "ctypes structure": Point(1, 2),
    "ctypes integer": ctypes.c_int(5),
    "shared memory": multiprocessing.RawArray("i", [1, 2, 3]),
    "dates": numpy.array(["2026-01-01", "1970-01-01"], "datetime64[D]"),
    "rows of dates": numpy.zeros((2, 3), "timedelta64[s]"),
}


@pytest.mark.parametrize("buffer", BUFFERS.values(), ids=BUFFERS.keys())
def test_buffers(buffer):
    expected = hashlib.sha256(buffer.tobytes() if hasattr(buffer, "tobytes") else bytes(buffer))
    assert hashlanes.sha256(buffer).digest() == expected.digest()
    assert hashlanes.sha256_hexdigest(buffer) == expected.hexdigest()


def test_subclass_of_bytes():
    class Name(bytes):
        pass

    assert hashlanes.sha256(Name(b"abc")).digest() == hashlib.sha256(b"abc").digest()


CALLS = [hashlanes.sha256, hashlanes.sha256_digest, hashlanes.sha256().update, partial(hashlanes.new, "sha256")]


@pytest.mark.parametrize("call", CALLS)
def test_wrong_data(call):
    with pytest.raises(TypeError, match="data: strings must be encoded before hashing"):
        call("text")
    with pytest.raises(TypeError, match="data: expected bytes or another buffer, not int"):
        call(5)
    with pytest.raises(TypeError, match="data: expected bytes or another buffer, not NoneType"):
        call(None)
    with pytest.raises(ValueError, match="data: the buffer is not C-contiguous"):
        call(memoryview(b"abcdef")[::2])
    with pytest.raises(ValueError, match="data: the buffer is not C-contiguous"):
        call(numpy.zeros(4, "datetime64[s]")[::2])
    objects = [numpy.array([None]), numpy.zeros(1, [("time", "M8[s]"), ("object", "O")]), (ctypes.py_object * 1)(None)]
    for buffer in objects:
        with pytest.raises(TypeError, match="data: the buffer holds Python objects, not bytes"):
            call(buffer)
    view = memoryview(b"abc")
    view.release()
    with pytest.raises(ValueError, match="^operation forbidden on released memoryview object$"):
        call(view)


def test_buffers_are_released():
    memory, times = bytearray(64), numpy.zeros(4, "datetime64[s]")
    references = sys.getrefcount(times)
    hashlanes.sha256(memory)
    hashlanes.sha256(times)
    for buffer in (memoryview(memory)[::2], times[::2]):
        with pytest.raises(ValueError, match="not C-contiguous"):
            hashlanes.sha256(buffer)
    del buffer
    memory.append(1)  # Raises BufferError while a buffer is held.
    assert sys.getrefcount(times) == references


@pytest.mark.skipif(sys.version_info < (3, 12), reason="Python has no __buffer__ before 3.12")
@pytest.mark.parametrize("error", [KeyError, ValueError, BufferError, KeyboardInterrupt])
def test_error_of_a_buffer(error):
    class Raising:
        def __buffer__(self, flags):
            raise error("own")

    with pytest.raises(error, match="own"):
        hashlanes.sha256(Raising())


def test_wrong_arguments():
    with pytest.raises(TypeError, match="key: strings"):
        hashlanes.hmac_sha256("key", b"")
    with pytest.raises(TypeError, match="password: strings"):
        hashlanes.pbkdf2_hmac("sha256", "text", b"salt", 1)
    with pytest.raises(ValueError, match="iterations: 0 is not between 1 and"):
        hashlanes.pbkdf2_hmac("sha256", b"", b"", 0)
    with pytest.raises(ValueError, match="dklen: 0 is not between 1 and"):
        hashlanes.pbkdf2_hmac("sha256", b"", b"", 1, 0)
    for number in (-1, 2**31, 2**64, -(2**64)):
        with pytest.raises(ValueError, match="^iterations: "):
            hashlanes.pbkdf2_hmac("sha256", b"", b"", number)
        with pytest.raises(ValueError, match="^dklen: "):
            hashlanes.pbkdf2_hmac("sha256", b"", b"", 1, number)
    with pytest.raises(TypeError, match="^iterations: 'float' object cannot be interpreted as an integer"):
        hashlanes.pbkdf2_hmac("sha256", b"", b"", 1.5)
    with pytest.raises(TypeError, match="^dklen: 'float' object cannot be interpreted as an integer"):
        hashlanes.pbkdf2_hmac("sha256", b"", b"", 1, 1.5)
    with pytest.raises(TypeError, match="^hash_name: expected a string, not bytes"):
        hashlanes.pbkdf2_hmac(b"sha256", b"", b"", 1)
    with pytest.raises(ValueError, match='^hash_name: unsupported hash type "md5"'):
        hashlanes.pbkdf2_hmac("md5", b"", b"", 1)
    with pytest.raises(TypeError, match="cannot create 'hashlanes.HASH' instances"):
        hashlanes.HASH()


@pytest.mark.parametrize("name", NAMES)
def test_pbkdf2(name):
    for dklen in (None, 1, 100):
        expected = hashlib.pbkdf2_hmac(name, b"password", b"salt", 100, dklen)
        assert hashlanes.pbkdf2_hmac(name, b"password", b"salt", 100, dklen) == expected


@pytest.mark.parametrize("name", NAMES)
def test_stdlib_hmac(name):
    ours = hmac.new(b"key", b"message", getattr(hashlanes, name))
    assert ours.digest() == hmac.digest(b"key", b"message", name)
    assert ours.name == f"hmac-{name}"


def test_file_digest(tmp_path):
    path, data = tmp_path / "file", message(1_000_000)
    path.write_bytes(data)
    expected = hashlib.sha1(data).digest()
    for file in (path, str(path), bytes(path), io.BytesIO(data)):
        assert hashlanes.file_digest(file, "sha1").digest() == expected
        assert hashlanes.file_digest(file, hashlanes.sha1).digest() == expected
    with open(path, "rb") as file:
        file.seek(10)
        assert hashlanes.file_digest(file, "sha1").digest() == hashlib.sha1(data[10:]).digest()
        assert not file.closed
    with open(path) as file, pytest.raises(ValueError, match="file: "):
        hashlanes.file_digest(file, "sha1")
    with pytest.raises(FileNotFoundError):
        hashlanes.file_digest(tmp_path / "missing", "sha1")
    with pytest.raises(ValueError, match='^digest: unsupported hash type "md5"'):
        hashlanes.file_digest(path, "md5")


def test_threads_share_an_object():
    """Parts of equal bytes, short ones under the GIL and long ones without: no order of them changes the digest."""
    hasher, n_threads, n_rounds = hashlanes.sha256(), 16, 200
    start = threading.Barrier(n_threads)

    def update():
        start.wait()
        for n_bytes in (64, 100_000, 1, 3000) * n_rounds:
            hasher.update(bytes(n_bytes))
            hasher.copy().digest()

    threads = [threading.Thread(target=update) for _ in range(n_threads)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    total = n_threads * n_rounds * (64 + 100_000 + 1 + 3000)
    expected = hashlib.sha256()
    for _ in range(total // (1 << 20)):
        expected.update(bytes(1 << 20))
    expected.update(bytes(total % (1 << 20)))
    assert hasher.digest() == expected.digest()


def test_threads_of_their_own():
    datas = [message(50_000 + i) for i in range(16)]
    digests: list[bytes | None] = [None] * 16

    def work(i):
        for _ in range(100):
            digests[i] = hashlanes.sha256(datas[i]).digest()

    threads = [threading.Thread(target=work, args=(i,)) for i in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert digests == [hashlib.sha256(data).digest() for data in datas]


def test_no_leak():
    data, buffer, hasher = b"x" * 100, bytearray(100), hashlanes.sha256()
    held = [data, buffer, hasher, hashlanes.sha256]

    def calls(n):
        for _ in range(n):
            hashlanes.sha256(data).copy().hexdigest()
            hashlanes.sha512(buffer).digest()
            hasher.update(buffer)
            hashlanes.sha256_digest(data)
            try:
                hashlanes.sha256(5)
            except TypeError:
                pass

    calls(1000)
    references, before = [sys.getrefcount(o) for o in held], resident_bytes()
    calls(200_000)
    assert [sys.getrefcount(o) for o in held] == references
    assert resident_bytes() - before < 4 << 20


@pytest.mark.parametrize("data", ["text", 5])
def test_no_leak_of_errors(data):
    """No other call is among these, which might release what they left."""

    def calls(n):
        for _ in range(n):
            with contextlib.suppress(TypeError):
                hashlanes.sha256(data)

    calls(1000)
    before = sys.getallocatedblocks()
    calls(10_000)
    assert sys.getallocatedblocks() - before < 1000


def resident_bytes() -> int:
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096
