"""The package's types: consistent, the same as at run time, and of use to callers."""

import subprocess
import sys

import pytest

CALLS = """
import hashlanes
import numpy

digests: list[bytes] = hashlanes.sha256_many([b"one", bytearray(), numpy.zeros(3)])
out: numpy.ndarray = hashlanes.sha256_many([b"one"], out=numpy.zeros((1, 32), numpy.uint8))
column: hashlanes.Column = hashlanes.sha256_column(numpy.zeros((1, 20)), encoding="hex", key=b"key")
again: hashlanes.Column = hashlanes.sha256_column(column)
hasher: hashlanes.HASH = hashlanes.file_digest("path", hashlanes.sha256)
"""


@pytest.mark.parametrize("command", [["mypy", "--strict", "-p"], ["mypy.stubtest", "--ignore-missing-stub"]], ids=str)
def test_package(command, tmp_path):
    check([*command, "hashlanes"], tmp_path)


def test_calls(tmp_path):
    calls = tmp_path / "calls.py"
    calls.write_text(CALLS)
    check(["mypy", "--strict", str(calls)], tmp_path)


def check(command, directory):
    finished = subprocess.run([sys.executable, "-m", *command], cwd=directory, capture_output=True, text=True)
    assert finished.returncode == 0, finished.stdout + finished.stderr
