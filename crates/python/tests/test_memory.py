"""The memory of a large column."""

import subprocess
import sys

import pytest

GIGABYTE_COLUMN = """
import resource
import hashlanes
import numpy
import pyarrow

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

n_rows = 50_000_000
data = numpy.zeros(20 * n_rows, numpy.uint8)
data.fill(120)
offsets = numpy.arange(0, 20 * n_rows + 1, 20, dtype=numpy.int32)
column = pyarrow.Array.from_buffers(pyarrow.string(), n_rows, [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(data)])
before, input_and_output = peak(), column.nbytes + 32 * n_rows
digests = hashlanes.sha256_column(column)
assert len(digests) == n_rows
print((peak() - before + column.nbytes) / input_and_output)
"""


@pytest.mark.slow
def test_a_column_of_a_gigabyte():
    """Hashing 1 GB of values takes at most 1.1 times the memory of the input and the output."""
    command = [sys.executable, "-c", GIGABYTE_COLUMN]
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    assert float(finished.stdout) < 1.1
