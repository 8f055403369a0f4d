"""Columns of every library that has the Arrow PyCapsule interface."""

import hashlib

import datafusion
import duckdb
import hashlanes
import nanoarrow
import pandas
import polars
import pyarrow
import pytest

TEXTS = [None if i % 5 == 3 else chr(97 + i % 26) * (i * 7 % 90) for i in range(300)]
DIGESTS = [None if text is None else hashlib.sha256(text.encode()).digest() for text in TEXTS]
TABLE = pyarrow.table({"text": TEXTS})
LIBRARIES = {
    "pyarrow.Table": lambda: TABLE,
    "pyarrow.RecordBatch": lambda: TABLE.to_batches()[0],
    "pyarrow.RecordBatchReader": lambda: TABLE.to_reader(max_chunksize=7),
    "polars.Series": lambda: polars.Series(TEXTS),
    "polars.Series, categorical": lambda: polars.Series(TEXTS, dtype=polars.Categorical),
    "polars.DataFrame": lambda: polars.DataFrame({"text": TEXTS}),
    "pandas.Series": lambda: pandas.Series(TEXTS, dtype="str"),
    "pandas.DataFrame": lambda: pandas.DataFrame({"text": pandas.Series(TEXTS, dtype="str")}),
    "nanoarrow.Array": lambda: nanoarrow.Array(TEXTS, nanoarrow.string()),
    "duckdb": lambda: duckdb.table("TABLE"),
    "datafusion": lambda: datafusion.SessionContext().from_arrow(TABLE),
}


@pytest.mark.parametrize("column", LIBRARIES.values(), ids=LIBRARIES.keys())
def test_libraries(column):
    assert pyarrow.array(hashlanes.sha256_column(column())).to_pylist() == DIGESTS


def test_libraries_take_results():
    digests = hashlanes.sha256_column(pyarrow.array(TEXTS), encoding="hex")
    texts = [None if digest is None else digest.hex() for digest in DIGESTS]
    assert polars.Series(digests).to_list() == texts
    assert list(nanoarrow.Array(digests).iter_py()) == texts
    assert pyarrow.array(digests).to_pylist() == texts  # Once more: it is not used up.
