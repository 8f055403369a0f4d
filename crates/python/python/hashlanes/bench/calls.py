"""One message of 64 bytes, in one call."""

import hashlib
from collections.abc import Iterator
from typing import Any

import hashlanes
from hashlanes.bench.timing import Result, race

N_CALLS = 200_000


def calls() -> Iterator[Result]:
    """Calls on 64 bytes."""
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

    def theirs() -> None:
        digest(hashlib.sha256)

    yield race("sha256(x).digest()", theirs, lambda: digest(hashlanes.sha256), N_CALLS, at_least=1 / 0.45)
    yield race("sha256_digest(x)", theirs, one_call, N_CALLS, at_least=1 / 0.38)
    yield race("update(x)", lambda: update(hashlib.sha256), lambda: update(hashlanes.sha256), N_CALLS, at_least=1.0)
