"""Ray and Dask: functions run on workers; a task whose worker dies runs again on another one."""

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

Work = Callable[[list[str]], bytes]
"""Hashes a shard: its names to its manifest."""

Shards = dict[int, list[str]]
"""Names by the shards' numbers."""


def by_ray(work: Work, shards: Shards, retries: int) -> Iterator[tuple[int, bytes]]:
    """Yields each shard's number with its manifest, as they are done. Ray must be initialised, or starts a local cluster."""
    ray = import_module("ray")
    if not ray.is_initialized():
        ray.init()
    task = ray.remote(num_cpus=1, max_retries=retries)(work)
    running = {task.remote(names): number for number, names in shards.items()}
    while running:
        [done, *_], _ = ray.wait([*running], num_returns=1)
        yield running.pop(done), ray.get(done)


def by_dask(client: Any, work: Work, shards: Shards, retries: int) -> Iterator[tuple[int, bytes]]:
    """Yields each shard's number with its manifest, as they are done."""
    # Two jobs with the same arguments are two: a file may have changed.
    futures = client.map(work, [*shards.values()], retries=retries, pure=False)
    by_key = {future.key: number for future, number in zip(futures, shards, strict=True)}
    for future, result in import_module("dask.distributed").as_completed(futures, with_results=True):
        yield by_key[future.key], result


def scheduler(cluster: Any) -> Callable[[Work, Shards, int], Iterator[tuple[int, bytes]]]:
    """That of the argument `cluster`."""
    if cluster == "ray":
        return by_ray
    if hasattr(cluster, "map") and hasattr(cluster, "scheduler_info"):
        return lambda work, shards, retries: by_dask(cluster, work, shards, retries)
    raise TypeError(f'cluster: expected "ray" or a dask.distributed.Client, not {type(cluster).__name__}')
