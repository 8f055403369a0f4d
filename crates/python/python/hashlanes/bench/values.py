"""A million values of 20 bytes: lists, and Arrow columns of every layout."""

import hashlib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import hashlanes
from hashlanes.bench.timing import Result, race

N_ROWS = 1_000_000
ROW_BYTES = 20
BATCH_ROWS = 16_384
"""Rows of a batch whose values and digests stay in a CPU core's second-level cache."""

LIST, ARROW, HEX = 3.0, 15.0, 11.0
"""Targets of lists, of columns in batches, and of columns in hexadecimal in batches."""


def values() -> list[bytes]:
    return [str(i).rjust(ROW_BYTES, "x").encode() for i in range(N_ROWS)]


def lists() -> Iterator[Result]:
    """Lists of bytes against a loop over hashlib."""
    messages, out = values(), bytearray(32 * N_ROWS)
    loop = partial(by_hashlib, messages)
    yield race("list -> list of digests", loop, lambda: hashlanes.sha256_many(messages), N_ROWS, at_least=LIST)
    yield race("list -> buffer", loop, lambda: hashlanes.sha256_many(messages, out=out), N_ROWS, at_least=LIST)


def by_hashlib(messages: list[bytes]) -> list[bytes]:
    return [hashlib.sha256(message).digest() for message in messages]


def columns() -> Iterator[Result]:
    """Arrow columns against a loop over hashlib, whose values are a list already."""
    import pyarrow  # type: ignore[import-untyped]

    messages = values()
    texts = pyarrow.array([message.decode() for message in messages])
    layouts = {
        "Utf8": texts,
        "Utf8View": texts.cast(pyarrow.string_view()),
        "Binary, a third null": pyarrow.array([None if i % 3 == 0 else m for i, m in enumerate(messages)]),
        "Utf8View, a third null": pyarrow.array(
            [None if i % 3 == 0 else m.decode() for i, m in enumerate(messages)], pyarrow.string_view()
        ),
        "FixedSizeBinary": pyarrow.array(messages, pyarrow.binary(ROW_BYTES)),
        "Utf8 in chunks": pyarrow.chunked_array(batches(texts)),
        "Dictionary of 1000 values": texts.slice(0, 1000).take([i % 1000 for i in range(N_ROWS)]).dictionary_encode(),
    }
    loop = partial(by_hashlib, messages)
    for name, column in layouts.items():
        yield race(f"{name}, at once", loop, partial(hashlanes.sha256_column, column), N_ROWS)
        yield race(f"{name}, batches", loop, partial(in_batches, column), N_ROWS, at_least=ARROW)

    salt, key = b"0123456789abcdef", b"key"
    salted = in_loop(messages, lambda message: hashlib.sha256(salt + message).digest())
    yield race("Utf8 with a prefix of 16 bytes, batches", salted, partial(in_batches, texts, prefix=salt), N_ROWS)
    import hmac

    keyed = in_loop(messages, lambda message: hmac.digest(key, message, "sha256"))
    yield race("Utf8 with a key (HMAC), batches", keyed, partial(in_batches, texts, key=key), N_ROWS)
    in_hex = in_loop(messages, lambda message: hashlib.sha256(message).hexdigest())
    for encoding, at_least in [("hex", HEX), ("base64", None)]:
        ours = partial(in_batches, texts, encoding=encoding)
        yield race(f"Utf8 -> {encoding}, batches", in_hex, ours, N_ROWS, at_least=at_least)


def in_loop(messages: list[bytes], digest: Callable[[bytes], Any]) -> Callable[[], list[Any]]:
    return lambda: [digest(message) for message in messages]


def batches(column: Any) -> list[Any]:
    return [column.slice(first, BATCH_ROWS) for first in range(0, len(column), BATCH_ROWS)]


def in_batches(column: Any, **options: Any) -> None:
    for batch in batches(column):
        hashlanes.sha256_column(batch, **options)
