"""The DuckDB extension: its functions against hashlib, in every kind of vector."""

import hashlib
import hmac

import duckdb
import pyarrow
import pytest

TEXTS = [None if i % 5 == 3 else chr(97 + i % 26) * (i * 7 % 90) for i in range(5000)]

pytestmark = pytest.mark.engines


def digest(text: str | None) -> str | None:
    return None if text is None else hashlib.sha256(text.encode()).hexdigest()


def code(key: str | None, text: str | None) -> str | None:
    return None if key is None or text is None else hmac.digest(key.encode(), text.encode(), "sha256").hex()


@pytest.fixture
def extension(request):
    path = request.config.getoption("--duckdb-extension")
    if path is None:
        pytest.fail("--duckdb-extension is missing; `cargo xtask duckdb` prints it")
    return path


@pytest.fixture(params=[1, 4])
def connection(request, extension):
    with duckdb.connect(config={"allow_unsigned_extensions": True, "threads": request.param}) as connection:
        connection.load_extension(extension)
        keys = [None if i % 11 == 10 else "key" * (i // 700) for i in range(len(TEXTS))]
        rows = pyarrow.table({"number": range(len(TEXTS)), "text": TEXTS, "key": keys})
        connection.register("arrow_rows", rows)
        connection.execute("CREATE TABLE rows AS SELECT * FROM arrow_rows")
        yield connection


def column(connection, expression, rest="FROM rows ORDER BY number"):
    return [row[0] for row in connection.execute(f"SELECT {expression} {rest}").fetchall()]


def test_digests(connection):
    expected = [digest(text) for text in TEXTS]
    assert column(connection, "sha256_lanes(text)") == expected
    assert column(connection, "sha256_lanes(text::BLOB)") == expected
    assert column(connection, "lower(hex(sha256_lanes_blob(text)))") == expected
    assert column(connection, "lower(hex(sha256_lanes_blob(text::BLOB)))") == expected


def test_selected_rows(connection):
    expected = [digest(text) for text in TEXTS[1::3]]
    assert column(connection, "sha256_lanes(text)", "FROM rows WHERE number % 3 = 1 ORDER BY number") == expected
    assert column(connection, "sha256_lanes(text)", "FROM rows WHERE number < 0") == []


def test_constants(connection):
    assert column(connection, "sha256_lanes('abc')") == [digest("abc")] * len(TEXTS)
    assert column(connection, "sha256_lanes(NULL)", "") == [None]
    assert column(connection, "sha256_lanes('')", "") == [digest("")]
    assert column(connection, "sha256_lanes(repeat('x', 1000000))", "") == [digest("x" * 1_000_000)]


def test_codes(connection):
    keys = column(connection, "key")
    assert column(connection, "hmac_sha256_lanes(key, text)") == list(map(code, keys, TEXTS))
    assert column(connection, "hmac_sha256_lanes('key'::BLOB, text)") == [code("key", text) for text in TEXTS]
    assert column(connection, "hmac_sha256_lanes(NULL, text)") == [None] * len(TEXTS)


def test_wrong_arguments(connection):
    for expression in ("sha256_lanes()", "sha256_lanes(text, text)", "hmac_sha256_lanes(text)"):
        with pytest.raises(duckdb.BinderException):
            column(connection, expression)


def test_loaded_again(extension):
    for _ in range(2):
        with duckdb.connect(config={"allow_unsigned_extensions": True}) as connection:
            connection.load_extension(extension)
            connection.load_extension(extension)
            assert column(connection, "sha256_lanes('abc')", "") == [digest("abc")]
