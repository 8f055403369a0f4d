"""Digests of files."""

import os
from collections.abc import Callable
from typing import Any

from hashlanes._hashlanes import HASH, new


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
    hasher = new(digest) if isinstance(digest, str) else digest()
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
