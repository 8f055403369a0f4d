"""Digests of many files."""

import hashlib
import os
import signal
import subprocess
import sys
import time

import hashlanes
import pytest

LENGTHS = [0, 1, 64, 65_535, 65_536, 65_537, 131_072, 1_000_003]


def files(directory, lengths):
    paths = []
    for number, n_bytes in enumerate(lengths):
        path = directory / f"{number}"
        path.write_bytes(bytes([number % 256]) * n_bytes)
        paths.append(path)
    return paths


@pytest.mark.parametrize("algorithm", sorted(hashlanes.algorithms_available))
def test_digests(tmp_path, algorithm):
    paths = files(tmp_path, LENGTHS)
    expected = [(path, hashlib.new(algorithm, path.read_bytes()).digest()) for path in paths]
    assert list(hashlanes.sum(paths, algorithm)) == expected
    assert [digest for _, digest in hashlanes.sum(map(str, paths), algorithm)] == [d for _, d in expected]


@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 200])
def test_numbers_of_files(tmp_path, n):
    paths = files(tmp_path, [i * 997 % 100_000 for i in range(n)])
    assert list(hashlanes.sum(iter(paths))) == [(p, hashlib.sha256(p.read_bytes()).digest()) for p in paths]


def test_names_that_are_no_text(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff"
    with open(path, "wb") as file:
        file.write(b"abc")
    assert list(hashlanes.sum([path])) == [(path, hashlib.sha256(b"abc").digest())]


def test_progress(tmp_path):
    paths, calls = files(tmp_path, LENGTHS), []
    list(hashlanes.sum(paths, progress=calls.append))
    assert sum(calls) == sum(LENGTHS)
    assert len(calls) == 1_000_003 // 65_536 + 1

    class Stop(Exception):
        pass

    def stop(n_bytes):
        raise Stop

    with pytest.raises(Stop):
        list(hashlanes.sum(paths, progress=stop))


def test_errors(tmp_path):
    [good] = files(tmp_path, [10])
    digests = hashlanes.sum([good, tmp_path / "missing", good])
    assert next(digests)[0] == good
    with pytest.raises(FileNotFoundError) as caught:
        next(digests)
    assert caught.value.filename == str(tmp_path / "missing")
    assert caught.value.strerror == "No such file or directory"
    with pytest.raises(IsADirectoryError):
        list(hashlanes.sum([tmp_path]))
    with pytest.raises(ValueError, match='^algorithm: unsupported hash type "md5"'):
        list(hashlanes.sum([good], "md5"))
    with pytest.raises(TypeError, match="^algorithm: expected a string, not int"):
        list(hashlanes.sum([good], 5))
    with pytest.raises(TypeError, match="paths: expected str, bytes or os.PathLike object, not int"):
        list(hashlanes.sum([5]))
    for paths in (5, str(good), good):
        with pytest.raises(TypeError, match="paths: expected an iterable of paths, not"):
            list(hashlanes.sum(paths))
    with pytest.raises(TypeError, match="progress: expected a function, not int"):
        list(hashlanes.sum([good], progress=5))


INTERRUPTED = """
import hashlanes, time
print("begun", flush=True)
try:
    list(hashlanes.sum(["/dev/zero"]))
except KeyboardInterrupt:
    print(time.monotonic())
"""


def test_interrupt():
    """Ctrl-C ends the hashing of an endless file within 100 ms."""
    child = subprocess.Popen([sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, text=True)
    try:
        assert child.stdout.readline() == "begun\n"
        time.sleep(0.3)
        start = time.monotonic()
        child.send_signal(signal.SIGINT)
        assert float(child.stdout.readline()) - start < 0.1
    finally:
        child.kill()
        child.communicate()
