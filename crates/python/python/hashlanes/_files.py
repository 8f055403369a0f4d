"""Digests of files."""

import os
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from hashlanes._hashlanes import HASH, digest_files, new

Path = TypeVar("Path", bound=str | bytes | os.PathLike[str] | os.PathLike[bytes])

Item = TypeVar("Item")

TOGETHER = 64
"""Files that are read and hashed together."""


def sum(
    paths: Iterable[Path],
    algorithm: str = "sha256",
    *,
    progress: Callable[[int], object] | None = None,
) -> Iterator[tuple[Path, bytes]]:
    """Yields each path with the digest of its file, in order; up to 64 files are hashed at a time, on one CPU core.

    `progress` is called with the number of bytes that were hashed since the call before. A file that cannot be read raises
    `OSError` when its turn comes.
    """
    remaining = iterator(paths, "paths")
    while batch := list(islice(remaining, TOGETHER)):
        names = [path_name(path, "paths") for path in batch]
        for path, digest in zip(batch, digest_files(names, algorithm, progress), strict=True):
            if isinstance(digest, OSError):
                raise digest
            yield path, digest


def iterator(paths: Iterable[Item], argument: str) -> Iterator[Item]:
    """Returns an iterator over paths. A single path is a `TypeError`: its letters or bytes are not paths."""
    if isinstance(paths, str | bytes | os.PathLike) or not isinstance(paths, Iterable):
        raise TypeError(f"{argument}: expected an iterable of paths, not {type(paths).__name__}")
    return iter(paths)


def path_name(path: Any, argument: str) -> str:
    """Returns a path as a string; a `TypeError` has the argument's name."""
    try:
        return os.fsdecode(path)
    except TypeError as error:
        raise TypeError(f"{argument}: {error}") from None


def file_digest(
    file: Any, digest: str | Callable[[], HASH], /, *, _bufsize: int = 1 << 18
) -> HASH:
    """Hashes a file from its current position to its end.

    `file` is a path or an open binary file; `digest` is a name or a constructor such as `hashlanes.sha256`. A file object
    stays open.
    """
    if isinstance(file, str | bytes | os.PathLike):
        with open(file, "rb", buffering=0) as opened:
            return file_digest(opened, digest, _bufsize=_bufsize)
    if not (isinstance(digest, str) or callable(digest)):
        raise TypeError(f"digest: expected a name or a constructor, not {type(digest).__name__}")
    if isinstance(digest, str):
        try:
            hasher = new(digest)
        except ValueError as error:
            raise ValueError(str(error).replace("name:", "digest:", 1)) from None
    else:
        hasher = digest()
    if hasattr(file, "getbuffer"):  # io.BytesIO: all of its memory, as by hashlib.
        hasher.update(file.getbuffer())
        return hasher
    if not (hasattr(file, "readinto") and hasattr(file, "readable") and file.readable()):
        raise ValueError(f"file: {file!r} is not a file open for reading in binary mode")
    buffer = bytearray(_bufsize)
    view = memoryview(buffer)
    while n_bytes := file.readinto(buffer):
        hasher.update(view[:n_bytes])
    if n_bytes is None:
        raise BlockingIOError(f"file: {file!r} is non-blocking and has no data")
    return hasher
