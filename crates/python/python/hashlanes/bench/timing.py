"""Races between two ways to the same digests."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

ROUNDS = 5


@dataclass
class Result:
    """The times of one race."""

    name: str
    theirs: float
    """Seconds of the other library: the least processor time of several runs."""
    ours: float
    """Seconds of this package."""
    items: int
    """Values, or calls, in a run."""
    at_least: float | None = None
    """How many times as fast this package must be: a target of the project."""

    @property
    def times(self) -> float:
        return self.theirs / self.ours

    @property
    def is_missed(self) -> bool:
        return self.at_least is not None and self.times < self.at_least


def race(
    name: str,
    theirs: Callable[[], Any],
    ours: Callable[[], Any],
    items: int,
    *,
    at_least: float | None = None,
    clock: Callable[[], float] = time.process_time,
) -> Result:
    """Runs both in turns, so that a slower moment of the machine meets both.

    `clock` counts the seconds of this process's threads, unless the work is done by other processes.
    """
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(ROUNDS):
        for work, seconds in zip((theirs, ours), times, strict=True):
            start = clock()
            work()
            seconds.append(clock() - start)
    return Result(name, min(times[0]), min(times[1]), items, at_least)
