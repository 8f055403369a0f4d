"""The job: shards are hashed by a cluster, and their manifests joined."""

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from hashlanes._hashlanes import new
from hashlanes.cluster.schedulers import scheduler
from hashlanes.cluster.shards import State, in_order, line
from hashlanes.cluster.sources import Files, source_of

TOGETHER = 64
"""Files that are hashed together."""

FIRST_PAUSE = 0.05
"""Seconds before a file that could not be read is read again; then twice as long, and so on."""


class Done(NamedTuple):
    """What a job did."""

    n_files: int
    n_bytes: int
    n_shards: int
    n_hashed: int
    """Shards that this run hashed; an earlier one hashed the others."""


def manifest(
    source: str | os.PathLike[str] | Files,
    output: str | os.PathLike[str],
    cluster: Any,
    *,
    algorithm: str = "sha256",
    state: str | os.PathLike[str] | None = None,
    shard_bytes: int = 4 << 30,
    retries: int = 5,
    storage_options: dict[str, Any] | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> Done:
    """Writes the manifest of a file tree, which the workers of a cluster hash, in the order and format of `hashlanes sum -r`.

    `source` is a directory that every worker has under the same path, a URL that `fsspec` opens (with `storage_options`), or any object
    with the methods of `Files`. `cluster` is "ray" or a `dask.distributed.Client`. `state` is a directory that keeps the manifests of
    finished shards: a job that was interrupted continues from it; by default `output` with `.state` at its end, removed at the end.

    A file that cannot be read is read `retries` times more, then raises `OSError`; a task whose worker dies is run as often on another.
    `progress` is called with the number of finished shards, and of all.
    """
    if shard_bytes < 1:
        raise ValueError(f"shard_bytes: {shard_bytes}; a shard has one byte or more")
    new(algorithm)
    run, files = scheduler(cluster), source_of(source, storage_options)
    listed = in_order(files.find())
    directory = Path(state) if state is not None else Path(f"{os.fspath(output)}.state")
    kept = State(directory, listed, algorithm, shard_bytes)
    missing, n_shards = kept.missing(), len(kept.shards)
    done = n_shards - len(missing)
    work = shard_hasher(files, algorithm, retries)
    for number, result in run(work, {number: kept.shards[number] for number in missing}, retries):
        kept.done(number, result)
        done += 1
        if progress is not None:
            progress(done, n_shards)
    kept.merge(Path(output))
    if state is None:
        shutil.rmtree(directory)
    return Done(len(listed), sum(n_bytes for _, n_bytes in listed), n_shards, len(missing))


def shard_hasher(files: Files, algorithm: str, retries: int) -> Callable[[list[str]], bytes]:
    """A function that hashes the files of a shard; returns their manifest."""

    def hash_shard(names: list[str]) -> bytes:
        batches = [names[first : first + TOGETHER] for first in range(0, len(names), TOGETHER)]
        return b"".join(line(digest, name) for batch in batches for name, digest in hash_batch(batch))

    def hash_batch(names: list[str]) -> list[tuple[str, bytes]]:
        digests: dict[str, bytes] = {}
        pause = FIRST_PAUSE
        for attempt in range(retries + 1):
            missing = [name for name in names if name not in digests]
            for name, digest in zip(missing, files.digests(missing, algorithm), strict=True):
                if isinstance(digest, bytes):
                    digests[name] = digest
                elif attempt == retries or isinstance(digest, FileNotFoundError | PermissionError | IsADirectoryError):
                    raise digest
            if len(digests) == len(set(names)):
                break
            time.sleep(pause)
            pause *= 2
        return [(name, digests[name]) for name in names]

    return hash_shard
