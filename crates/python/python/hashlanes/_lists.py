"""Lists of digests: files checked against them, and what became of a manifest's files."""

import os
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby, islice
from typing import NamedTuple

from hashlanes._files import TOGETHER, iterator, path_name
from hashlanes._hashlanes import FormatError, audit_files, digest_files, read_list

AnyPath = str | os.PathLike[str]


class Checked(NamedTuple):
    """A file of a list, and whether its digests are those of the list."""

    path: str
    ok: bool
    error: OSError | None = None
    """Why the file could not be read."""


def check(
    list: AnyPath,
    algorithm: str | None = None,
    *,
    strict: bool = False,
    progress: Callable[[int], object] | None = None,
) -> Iterator[Checked]:
    """Hashes the files of a list, and yields each with its verdict, in order.

    The list has any format that the program `hashlanes` reads: that of sha256sum, BSD's, hashdeep's, CSV, JSON, and others. Without
    `algorithm`, the lengths of its digests and its tags decide. A line that is improperly formatted is warned of; with `strict`,
    it raises `FormatError`. A list without any file raises `FormatError`.
    """
    entries = read_list(path_name(list, "list"), algorithm)
    if not any(entry["name"] is not None for entry in entries):
        raise FormatError(f"{list}: no properly formatted checksum lines found")
    remaining = iter(entries)
    while batch := [*islice(remaining, TOGETHER)]:
        for entry in batch:
            if entry["name"] is None:
                text = f"{list}: line {entry['number']}: improperly formatted checksum line"
                if strict:
                    raise FormatError(text)
                warnings.warn(text, stacklevel=2)
        files = [(os.fspath(entry["name"]), entry["digests"]) for entry in batch if entry["name"] is not None]
        for algorithms, group in groupby(files, lambda file: [name for name, _ in file[1]]):
            yield from _checked([*group], algorithms, progress)


def _checked(
    files: list[tuple[str, list[tuple[str, bytes]]]],
    algorithms: list[str],
    progress: Callable[[int], object] | None,
) -> Iterator[Checked]:
    names = [name for name, _ in files]
    results = [digest_files(names, algorithm, progress) for algorithm in algorithms]
    for number, (name, expected) in enumerate(files):
        digests = [of_algorithm[number] for of_algorithm in results]
        errors = [digest for digest in digests if isinstance(digest, OSError)]
        yield Checked(name, digests == [digest for _, digest in expected], errors[0] if errors else None)


@dataclass(frozen=True)
class Audit:
    """What became of the files of a manifest; names in order."""

    n_same: int
    """The number of files with the same digests."""
    changed: list[str]
    moved: list[tuple[str, str]]
    """Old and new names of files with the same digests."""
    new: list[str]
    missing: list[str]
    errors: list[Exception] = field(default_factory=list)
    """What could not be read: files (`OSError`), lines of the manifest (`FormatError`)."""

    @property
    def is_clean(self) -> bool:
        """Whether every file is the same, and everything could be read."""
        return not (self.changed or self.moved or self.new or self.missing or self.errors)


def audit(
    manifest: AnyPath,
    paths: Iterable[AnyPath] | None = None,
    *,
    progress: Callable[[int], object] | None = None,
) -> Audit:
    """Compares files and directories with a manifest: what changed, moved, is new, is missing.

    The manifest has any format that `check` reads. Without `paths`, those files and directories are compared that its names begin
    with, from the current directory.
    """
    roots = None if paths is None else [path_name(path, "paths") for path in iterator(paths, "paths")]
    found = audit_files(path_name(manifest, "manifest"), roots, progress)
    names = {kind: [os.fspath(path) for path in found[kind]] for kind in ("changed", "new", "missing")}
    moved = [(os.fspath(old), os.fspath(new)) for old, new in found["moved"]]
    return Audit(n_same=found["n_same"], moved=moved, errors=found["errors"], **names)
