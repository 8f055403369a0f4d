"""Columns: every layout of Arrow, rows of NumPy."""

import base64
import ctypes
import hashlib
import hmac
import sys
import threading

import hashlanes
import numpy
import pyarrow
import pytest

TEXTS = [None if i % 5 == 3 else chr(97 + i % 26) * (i * 7 % 90) for i in range(300)]


def expected(texts, prefix=b"", key=None):
    def digest(text):
        message = prefix + text.encode()
        return hmac.digest(key, message, "sha256") if key is not None else hashlib.sha256(message).digest()

    return [None if text is None else digest(text) for text in texts]


def values(column) -> list:
    return pyarrow.array(column).to_pylist()


TYPES = [
    pyarrow.string(),
    pyarrow.large_string(),
    pyarrow.string_view(),
    pyarrow.binary(),
    pyarrow.large_binary(),
    pyarrow.binary_view(),
    pyarrow.dictionary(pyarrow.int16(), pyarrow.string()),
    pyarrow.dictionary(pyarrow.uint32(), pyarrow.large_binary()),
]


@pytest.mark.parametrize("type", TYPES, ids=str)
@pytest.mark.parametrize("texts", [TEXTS, [t or "" for t in TEXTS], TEXTS[:1], [], [None, None]], ids=len)
def test_layouts(type, texts):
    column = of_type(texts, type)
    digests = hashlanes.sha256_column(column)
    assert len(digests) == len(texts)
    result = pyarrow.array(digests)
    result.validate(full=True)
    assert result.type == pyarrow.binary(32)
    assert result.to_pylist() == expected(texts)


def of_type(texts, type):
    if pyarrow.types.is_dictionary(type):
        return pyarrow.array(texts).cast(type.value_type).dictionary_encode().cast(type)
    return pyarrow.array(texts).cast(type)


@pytest.mark.parametrize("type", TYPES, ids=str)
def test_slices(type):
    column = of_type(TEXTS, type)
    for first, n in [(0, 3), (1, 8), (3, 5), (13, 250), (299, 1), (300, 0)]:
        assert values(hashlanes.sha256_column(column.slice(first, n))) == expected(TEXTS[first : first + n])


def test_fixed_size_binary():
    rows = [None if i % 7 == 0 else bytes([i]) * 20 for i in range(100)]
    column = pyarrow.array(rows, pyarrow.binary(20))
    for first in (0, 1, 9):
        digests = [None if row is None else hashlib.sha256(row).digest() for row in rows[first:]]
        assert values(hashlanes.sha256_column(column.slice(first))) == digests


def test_chunks():
    column = pyarrow.chunked_array([TEXTS[:7], [], TEXTS[7:8], TEXTS[8:]], pyarrow.string())
    assert values(hashlanes.sha256_column(column)) == expected(TEXTS)
    assert values(hashlanes.sha256_column(column.dictionary_encode())) == expected(TEXTS)
    assert values(hashlanes.sha256_column(column.cast(pyarrow.string_view()))) == expected(TEXTS)
    assert values(hashlanes.sha256_column(pyarrow.chunked_array([], pyarrow.string()))) == []


def test_dictionary_with_a_null_value():
    column = pyarrow.DictionaryArray.from_arrays(pyarrow.array([1, 0, None, 1]), pyarrow.array(["a", None]))
    assert values(hashlanes.sha256_column(column)) == expected([None, "a", None, None])
    out = bytearray(44 * 4)
    hashlanes.sha256_column(column, out=out, encoding="base64")
    assert out[:44] == base64.b64encode(bytes(32))
    assert out[44:88] == base64.b64encode(hashlib.sha256(b"a").digest())


@pytest.mark.parametrize("key", [None, b"key", b"k" * 100])
@pytest.mark.parametrize("prefix", [None, b"salt", b"s" * 100])
@pytest.mark.parametrize("type", [pyarrow.string(), pyarrow.string_view(), TYPES[-1]], ids=str)
def test_encodings(key, prefix, type):
    column, digests = of_type(TEXTS, type), expected(TEXTS, prefix or b"", key)
    encoders = {
        "binary": bytes,
        "hex": bytes.hex,
        "base64": lambda digest: base64.b64encode(digest).decode(),
    }
    for encoding, encode in encoders.items():
        result = pyarrow.array(hashlanes.sha256_column(column, encoding=encoding, key=key, prefix=prefix))
        result.validate(full=True)
        assert result.to_pylist() == [None if digest is None else encode(digest) for digest in digests]
        text = [encode(digest or bytes(32)) for digest in digests]
        out = numpy.zeros(sum(map(len, text)), numpy.uint8)
        assert hashlanes.sha256_column(column, out=out, encoding=encoding, key=key, prefix=prefix) is out
        joined = b"".join(text) if encoding == "binary" else "".join(text).encode()
        assert out.tobytes() == joined


@pytest.mark.parametrize("shape", [(0, 20), (1, 20), (1000, 20), (50, 64), (50, 65), (30, 1000), (5, 0)])
def test_rows(shape):
    rows = numpy.arange(shape[0] * shape[1]).astype(numpy.uint8).reshape(shape)
    digests = [hashlib.sha256(row).digest() for row in rows]
    assert values(hashlanes.sha256_column(rows)) == digests
    out = numpy.zeros((shape[0], 32), numpy.uint8)
    hashlanes.sha256_column(rows, out=out)
    assert out.tobytes() == b"".join(digests)


def test_rows_of_several_bytes():
    rows = numpy.arange(12, dtype=numpy.uint32).reshape(3, 4)
    dates = numpy.arange(6).astype("datetime64[s]").reshape(2, 3)
    for array in (rows, dates, ((ctypes.c_int * 4) * 3)()):
        assert values(hashlanes.sha256_column(array)) == [hashlib.sha256(row).digest() for row in array]


TABLE = pyarrow.table({"text": TEXTS})
def test_result_outlives_its_column():
    digests = hashlanes.sha256_column(pyarrow.array(TEXTS))
    result = pyarrow.array(digests)
    del digests
    assert result.to_pylist() == expected(TEXTS)


TYPES_OF_OTHER_VALUES = {
    pyarrow.bool_(): "bool",
    pyarrow.int8(): "int8",
    pyarrow.uint16(): "uint16",
    pyarrow.int64(): "int64",
    pyarrow.float64(): "float64",
    pyarrow.date32(): "date32",
    pyarrow.timestamp("us", "UTC"): "timestamp",
    pyarrow.time64("ns"): "time",
    pyarrow.duration("s"): "duration",
    pyarrow.decimal128(5, 2): "decimal",
    pyarrow.list_(pyarrow.string()): "list",
    pyarrow.list_(pyarrow.string(), 2): "fixed_size_list",
    pyarrow.month_day_nano_interval(): '"tin"',
}


def test_wrong_values():
    for type, name in TYPES_OF_OTHER_VALUES.items():
        with pytest.raises(TypeError, match=f"^values: Arrow type {name} is neither binary nor text; cast it$"):
            hashlanes.sha256_column(pyarrow.array([None], type))
    with pytest.raises(TypeError, match="values: expected an Arrow column or .*, not list"):
        hashlanes.sha256_column([b"list"])
    with pytest.raises(TypeError, match="values: expected an Arrow column or .*, not str"):
        hashlanes.sha256_column("text")
    with pytest.raises(ValueError, match="values: 1 dimension; rows have two"):
        hashlanes.sha256_column(b"bytes")
    with pytest.raises(ValueError, match="values: 0 dimensions; rows have two"):
        hashlanes.sha256_column(numpy.float64(1))
    view = memoryview(b"")
    view.release()
    with pytest.raises(ValueError, match="^operation forbidden on released memoryview object$"):
        hashlanes.sha256_column(view)
    with pytest.raises(ValueError, match="values: 3 dimensions; rows have two"):
        hashlanes.sha256_column(numpy.zeros((2, 2, 2)))
    with pytest.raises(ValueError, match="values: the buffer is not C-contiguous"):
        hashlanes.sha256_column(numpy.zeros((4, 4))[:, ::2])
    with pytest.raises(ValueError, match="values: a table of 2 columns; select one"):
        hashlanes.sha256_column(pyarrow.table({"a": ["x"], "b": ["y"]}))
    with pytest.raises(TypeError, match="values: Arrow type int64 is neither binary nor text; cast it"):
        hashlanes.sha256_column(pyarrow.chunked_array([], pyarrow.int64()))
    with pytest.raises(ValueError, match="values: a table of 0 columns; select one"):
        hashlanes.sha256_column(pyarrow.table({}))
    with pytest.raises(TypeError, match="values: the buffer holds Python objects, not bytes"):
        hashlanes.sha256_column(numpy.array([["a", None]], dtype=object))
    with pytest.raises(ValueError, match="values: a struct with nulls; select its column"):
        hashlanes.sha256_column(pyarrow.array([{"a": "x"}, None]))


def test_wrong_arguments():
    column = pyarrow.array(["text"])
    with pytest.raises(ValueError, match='encoding: unknown encoding "raw"; expected binary, hex or base64'):
        hashlanes.sha256_column(column, encoding="raw")
    with pytest.raises(TypeError, match="^encoding: expected a string, not int"):
        hashlanes.sha256_column(column, encoding=5)
    with pytest.raises(TypeError, match="key: strings must be encoded"):
        hashlanes.sha256_column(column, key="key")
    with pytest.raises(TypeError, match="prefix: expected bytes or another buffer, not int"):
        hashlanes.sha256_column(column, prefix=5)
    with pytest.raises(ValueError, match="out: 32 bytes; the digests have 64"):
        hashlanes.sha256_column(column, encoding="hex", out=bytearray(32))
    with pytest.raises(ValueError, match="out: the buffer is read-only"):
        hashlanes.sha256_column(column, out=bytes(32))
    for objects in (numpy.empty((1, 4), dtype=object), numpy.zeros(1, [("n", "i8"), ("object", "O"), ("rest", "i8", 2)])):
        with pytest.raises(TypeError, match="out: the buffer holds Python objects, not bytes"):
            hashlanes.sha256_column(column, out=objects)
    hashlanes.sha256_column(column, out=numpy.zeros(1, [("O", "i8", 4)]))
    rows = numpy.zeros((4, 32), numpy.uint8)
    with pytest.raises(ValueError, match="out: the buffer overlaps values"):
        hashlanes.sha256_column(rows, out=rows)
    memory = bytearray(32)
    with pytest.raises(ValueError, match="out: the buffer overlaps key"):
        hashlanes.sha256_column(column, out=memory, key=memory)


@pytest.mark.parametrize("type", [*TYPES, pyarrow.binary(20)], ids=str)
def test_out_overlaps_an_arrow_column(type):
    """Each buffer of the column in turn is in the memory of `out`, the last bytes of which are of the buffer."""
    texts = [None if i == 3 else "%020d" % i for i in range(10)]
    column = of_type(texts, type)
    arrays = [column.indices, column.dictionary] if pyarrow.types.is_dictionary(type) else [column]
    n_checked = 0
    for part, array in enumerate(arrays):
        for number, buffer in enumerate(array.buffers()):
            if buffer is None:
                continue
            memory = bytearray(320 + buffer.size)
            memory[319:-1] = buffer.to_pybytes()
            buffers = array.buffers()
            buffers[number] = pyarrow.py_buffer(memory)[319:-1]
            moved = pyarrow.Array.from_buffers(array.type, len(array), buffers, array.null_count)
            changed = [*arrays[:part], moved, *arrays[part + 1 :]]
            changed = pyarrow.DictionaryArray.from_arrays(*changed) if len(changed) == 2 else moved
            with pytest.raises(ValueError, match="^out: the buffer overlaps values$"):
                hashlanes.sha256_column(changed, out=memoryview(memory)[:320])
            out = memoryview(bytearray(320))
            hashlanes.sha256_column(changed, out=out)
            assert [bytes(out[32 * i :][:32]) for i in range(10)] == [d or bytes(32) for d in expected(texts)]
            n_checked += 1
    assert n_checked >= 2


NULLS = {
    "nulls": pyarrow.nulls(5),
    "slice": pyarrow.nulls(9)[2:7],
    "chunks": pyarrow.chunked_array([pyarrow.nulls(2), pyarrow.nulls(0), pyarrow.nulls(3)]),
    "table": pyarrow.table({"nulls": pyarrow.nulls(5)}),
    "dictionary": pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, None, 1, 1, 0]), pyarrow.nulls(2)),
}


@pytest.mark.parametrize("column", NULLS.values(), ids=NULLS.keys())
def test_nulls(column):
    digests = pyarrow.array(hashlanes.sha256_column(column, encoding="hex"))
    digests.validate(full=True)
    assert digests.to_pylist() == [None] * 5
    assert hashlanes.sha256_column(column, key=b"key", out=bytearray(b"x" * 160)) == bytes(160)
    out = hashlanes.sha256_column(column, encoding="base64", out=bytearray(220))
    assert out == base64.b64encode(bytes(32)) * 5
    assert values(hashlanes.sha256_column(pyarrow.nulls(0))) == []


def test_nulls_of_pandas():
    pandas = pytest.importorskip("pandas")
    assert values(hashlanes.sha256_column(pandas.Series([None, None]))) == [None, None]


def test_consumed_before():
    class Once:
        capsules = pyarrow.array(["text"]).__arrow_c_array__()

        def __arrow_c_array__(self):
            return self.capsules

    assert values(hashlanes.sha256_column(Once())) == expected(["text"])
    with pytest.raises(ValueError, match="values: the Arrow data was consumed before"):
        hashlanes.sha256_column(Once())


@pytest.mark.parametrize("type", TYPES, ids=str)
def test_buffers_that_are_not_aligned(type):
    """As columns are that came over a network."""

    def moved(array):
        buffers = [None if b is None else pyarrow.py_buffer(b"x" + b.to_pybytes()).slice(1) for b in array.buffers()]
        return pyarrow.Array.from_buffers(array.type, len(array), buffers, array.null_count)

    column = of_type(TEXTS, type)
    if pyarrow.types.is_dictionary(type):
        column = pyarrow.DictionaryArray.from_arrays(moved(column.indices), moved(column.dictionary))
    else:
        column = moved(column)
    assert values(hashlanes.sha256_column(column)) == expected(TEXTS)


def test_damaged_arrays():
    offsets = pyarrow.py_buffer(numpy.array([0, 5, 2], numpy.int32))
    column = pyarrow.Array.from_buffers(pyarrow.string(), 2, [None, offsets, pyarrow.py_buffer(b"abcde")])
    with pytest.raises(ValueError, match=r"values: offsets\[2\]: less than the offset before it"):
        hashlanes.sha256_column(column)
    view = numpy.array([20, 0, 0, 100], numpy.int32)
    buffers = [None, pyarrow.py_buffer(view), pyarrow.py_buffer(b"abcde" * 10)]
    column = pyarrow.Array.from_buffers(pyarrow.string_view(), 1, buffers)
    with pytest.raises(ValueError, match=r"values: views\[0\]: not inside its buffer"):
        hashlanes.sha256_column(column)
    indices = pyarrow.array([0, 7], pyarrow.int8())
    column = pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array(["a"]), safe=False)
    with pytest.raises(ValueError, match="values: row 1: the index is not in the dictionary"):
        hashlanes.sha256_column(column)


def test_error_of_a_stream():
    def batches():
        yield TABLE.to_batches()[0]
        raise RuntimeError("no more")

    reader = pyarrow.RecordBatchReader.from_batches(TABLE.schema, batches())
    with pytest.raises(ValueError, match="values: .*no more"):
        hashlanes.sha256_column(reader)


def test_threads():
    column, results = pyarrow.array(TEXTS * 100), [None] * 16

    def work(i):
        results[i] = values(hashlanes.sha256_column(column))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected(TEXTS) * 100] * 16


def test_no_leak():
    column, rows = pyarrow.array(TEXTS), numpy.zeros((10, 10))
    held = [column, rows]

    def calls(n):
        for _ in range(n):
            pyarrow.array(hashlanes.sha256_column(column, encoding="hex"))
            hashlanes.sha256_column(column).__arrow_c_array__()
            hashlanes.sha256_column(rows)

    calls(100)
    references, allocated = [sys.getrefcount(o) for o in held], pyarrow.total_allocated_bytes()
    before = resident_bytes()
    calls(3000)
    assert [sys.getrefcount(o) for o in held] == references
    assert pyarrow.total_allocated_bytes() == allocated
    assert resident_bytes() - before < 8 << 20


def resident_bytes() -> int:
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096
