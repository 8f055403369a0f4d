"""The memory of a large column."""

import subprocess
import sys

import pytest

MEASURED = """
import resource
import hashlanes
import numpy
import pyarrow

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

{column}
before, input_and_output = peak(), column.nbytes + 32 * len(column)
digests = hashlanes.sha256_column(column)
assert len(digests) == len(column)
print((peak() - before + column.nbytes) / input_and_output)
"""

# 1 GB of values.
PLAIN = """
n_rows = 50_000_000
data = numpy.zeros(20 * n_rows, numpy.uint8)
data.fill(120)
offsets = numpy.arange(0, 20 * n_rows + 1, 20, dtype=numpy.int32)
buffers = [None, pyarrow.py_buffer(offsets), pyarrow.py_buffer(data)]
column = pyarrow.Array.from_buffers(pyarrow.string(), n_rows, buffers)
"""

# 1 GB of digests.
DICTIONARY = """
indices = numpy.arange(32_000_000, dtype=numpy.int32)
indices %= 1000
column = pyarrow.DictionaryArray.from_arrays(pyarrow.array(indices), pyarrow.array([str(i) for i in range(1000)]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("column", [PLAIN, DICTIONARY], ids=["plain", "dictionary"])
def test_a_column_of_a_gigabyte(column):
    """Hashing a column of 1 GB takes at most 1.1 times the memory of the input and the output."""
    command = [sys.executable, "-c", MEASURED.format(column=column)]
    finished = subprocess.run(command, capture_output=True, text=True, check=True)
    assert float(finished.stdout) < 1.1
