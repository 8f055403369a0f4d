"""The command `python -m hashlanes.bench`."""

import argparse
import platform
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from hashlanes.bench import engines
from hashlanes.bench.calls import calls
from hashlanes.bench.chart import svg
from hashlanes.bench.timing import Result
from hashlanes.bench.values import columns, lists

SECTIONS: dict[str, tuple[str, Callable[[], Iterator[Result]]]] = {
    "lists": ("Lists of 1,000,000 values of 20 bytes; hashlib in a loop", lists),
    "columns": ("Arrow columns of 1,000,000 values of 20 bytes; hashlib in a loop", columns),
    "calls": ("One message of 64 bytes; hashlib's call", calls),
    "polars": ("Polars, hexadecimal", engines.polars),
    "duckdb": ("DuckDB, hexadecimal", engines.duckdb),
    "datafusion": ("DataFusion, hexadecimal", engines.datafusion),
    "pandas": ("pandas, hexadecimal", engines.pandas),
    "dask": ("Dask, two processes, hexadecimal", engines.dask),
    "ray": ("Ray, two processes, hexadecimal", engines.ray),
    "spark": ("Spark, two threads, hexadecimal", engines.spark),
}
NOT_BY_DEFAULT = ("dask", "ray", "spark")
"""They start processes."""


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m hashlanes.bench", description="Compares hashlanes with hashlib.")
    sections = f"one of {', '.join(SECTIONS)} [default: all except {', '.join(NOT_BY_DEFAULT)}]"
    parser.add_argument("sections", nargs="*", metavar="SECTION", help=sections)
    parser.add_argument("--svg", type=Path, metavar="FILE", help="write a bar chart")
    parser.add_argument("--check", action="store_true", help="exit with status 1 if a target is missed")
    options = parser.parse_args()
    if unknown := [name for name in options.sections if name not in SECTIONS]:
        parser.error(f"unknown section {unknown[0]!r}; expected one of {', '.join(SECTIONS)}")

    machine = f"{cpu()}, Python {platform.python_version()}, one core"
    print(machine)
    results: dict[str, list[Result]] = {}
    for name in options.sections or [name for name in SECTIONS if name not in NOT_BY_DEFAULT]:
        title, measure = SECTIONS[name]
        print(f"\n{title}\n{'':42}{'theirs':>10}{'ours':>10}{'times':>8}{'target':>8}")
        results[title] = []
        try:
            for result in measure():
                results[title].append(result)
                print(line(result), flush=True)
        except ImportError as error:
            print(f"not measured: {error.name} is not installed (python -m pip install {error.name})")
    if options.svg:
        options.svg.write_text(svg(f"hashlanes: times as fast ({machine})", results))
    missed = [result.name for of_section in results.values() for result in of_section if result.is_missed]
    if missed:
        print(f"\ntargets missed: {'; '.join(missed)}")
    return 1 if missed and options.check else 0


def line(result: Result) -> str:
    """Nanoseconds of a call, or millions of values a second."""

    def figure(seconds: float) -> str:
        each = seconds / result.items
        return f"{each * 1e9:.0f} ns" if "(x)" in result.name else f"{1e-6 / each:.2f} M/s"

    target = "" if result.at_least is None else f"{result.at_least:.2f}"
    return f"{result.name:42}{figure(result.theirs):>10}{figure(result.ours):>10}{result.times:8.2f}{target:>8}"


def cpu() -> str:
    """The CPU's name, where Linux reports it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(": ", 1)[1] for line in lines if line.startswith("model name")), platform.machine())


if __name__ == "__main__":
    sys.exit(main())
