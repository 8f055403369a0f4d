"""Measures this package against hashlib on this CPU: `python -m hashlanes.bench`."""

import hashlib
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import hashlanes

N_ROWS = 1_000_000
ROW_BYTES = 20
BATCH_ROWS = 262_144
"""Rows of a batch whose result the allocator reuses for the next one; memory that is new costs 40 % more."""

N_CALLS = 200_000
ROUNDS = 5


def seconds(work: Callable[[], Any]) -> float:
    """The least processor time of several runs."""
    times = []
    for _ in range(ROUNDS):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def rows() -> Iterator[tuple[str, float, float]]:
    """Yields what was hashed, and the seconds of hashlib and of hashlanes."""
    values = [str(i).rjust(ROW_BYTES, "x").encode() for i in range(N_ROWS)]
    loop = seconds(lambda: [hashlib.sha256(value).digest() for value in values])
    hex_loop = seconds(lambda: [hashlib.sha256(value).hexdigest() for value in values])
    yield "list -> list of digests", loop, seconds(lambda: hashlanes.sha256_many(values))
    out = bytearray(32 * N_ROWS)
    yield "list -> buffer", loop, seconds(lambda: hashlanes.sha256_many(values, out=out))
    try:
        import pyarrow  # type: ignore[import-untyped]
    except ImportError:
        print("Arrow columns are not measured: python -m pip install pyarrow")
        return
    texts = pyarrow.array([value.decode() for value in values])
    views = pyarrow.array([value.decode() for value in values], pyarrow.string_view())
    with_nulls = pyarrow.array([None if i % 3 == 0 else value for i, value in enumerate(values)])
    columns = {
        "Utf8": texts,
        "Utf8View": views,
        "Binary, a third null": with_nulls,
        "FixedSizeBinary": pyarrow.array(values, pyarrow.binary(ROW_BYTES)),
        "Utf8 in chunks": pyarrow.chunked_array(batches(texts)),
        "Dictionary of 1000 values": texts.slice(0, 1000).take([i % 1000 for i in range(N_ROWS)]).dictionary_encode(),
    }
    for name, column in columns.items():
        yield f"Arrow {name}", loop, seconds(partial(hashlanes.sha256_column, column))
        yield f"Arrow {name}, batches", loop, seconds(partial(in_batches, column))
    for encoding in ("hex", "base64"):
        once = seconds(partial(hashlanes.sha256_column, texts, encoding=encoding))
        yield f"Arrow Utf8 -> {encoding}", hex_loop, once
        yield f"Arrow Utf8 -> {encoding}, batches", hex_loop, seconds(partial(in_batches, texts, encoding=encoding))


def batches(column: Any) -> list[Any]:
    return [column.slice(first, BATCH_ROWS) for first in range(0, len(column), BATCH_ROWS)]


def in_batches(column: Any, **options: Any) -> None:
    for batch in batches(column):
        hashlanes.sha256_column(batch, **options)


def calls() -> Iterator[tuple[str, float, float]]:
    """Yields a call on 64 bytes, and its seconds in hashlib and in hashlanes."""
    data = bytes(64)

    def digest(sha256: Any) -> None:
        for _ in range(N_CALLS):
            sha256(data).digest()

    def update(sha256: Any) -> None:
        absorb = sha256().update
        for _ in range(N_CALLS):
            absorb(data)

    def one_call() -> None:
        sha256_digest = hashlanes.sha256_digest
        for _ in range(N_CALLS):
            sha256_digest(data)

    theirs = seconds(lambda: digest(hashlib.sha256))
    yield "sha256(x).digest()", theirs, seconds(lambda: digest(hashlanes.sha256))
    yield "sha256_digest(x)", theirs, seconds(one_call)
    yield "update(x)", seconds(lambda: update(hashlib.sha256)), seconds(lambda: update(hashlanes.sha256))


def main() -> None:
    print(f"SHA-256 of {N_ROWS:,} values of {ROW_BYTES} bytes, millions a second; hashlib in a loop\n")
    print(f"{'values':42}{'hashlib':>9}{'hashlanes':>11}{'times':>8}")
    for name, theirs, ours in rows():
        print(f"{name:42}{N_ROWS / theirs / 1e6:9.2f}{N_ROWS / ours / 1e6:11.2f}{theirs / ours:8.1f}")
    print("\nOne message of 64 bytes, nanoseconds a call\n")
    print(f"{'call':42}{'hashlib':>9}{'hashlanes':>11}{'ratio':>8}")
    for name, theirs, ours in calls():
        print(f"{name:42}{theirs / N_CALLS * 1e9:9.0f}{ours / N_CALLS * 1e9:11.0f}{ours / theirs:8.2f}")


if __name__ == "__main__":
    main()
