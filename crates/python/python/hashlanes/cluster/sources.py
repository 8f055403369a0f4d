"""Where files are. Workers get a copy of a source, so it holds no open files."""

import os

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol

import hashlanes
from hashlanes._hashlanes import digest_files

Named = tuple[str, int]
"""A file's name and its length."""


class Files(Protocol):
    """A tree of files."""

    def find(self) -> list[Named]:
        """Returns all files, in any order."""
        ...

    def digests(self, names: list[str], algorithm: str) -> list[bytes | OSError]:
        """Returns the digests of files, or the errors of those that cannot be read."""
        ...


@dataclass
class LocalFiles:
    """A directory that every worker has under the same path. Links in it are not followed."""

    root: str

    def find(self) -> list[Named]:
        def fail(error: OSError) -> None:
            raise error

        found = []
        for directory, _, names in os.walk(self.root, onerror=fail):
            with os.scandir(directory) as entries:
                files = {entry.name: entry for entry in entries if entry.is_file(follow_symlinks=False)}
            found += [(os.path.join(directory, name), files[name].stat().st_size) for name in names if name in files]
        return found

    def digests(self, names: list[str], algorithm: str) -> list[bytes | OSError]:
        return digest_files(names, algorithm, None)


class OpenedFiles:
    """Files that a Python function opens."""

    def open(self, name: str) -> Any:
        """Opens a file for reading in binary mode."""
        raise NotImplementedError

    def digests(self, names: list[str], algorithm: str) -> list[bytes | OSError]:
        return [self._digest(name, algorithm) for name in names]

    def _digest(self, name: str, algorithm: str) -> bytes | OSError:
        try:
            with self.open(name) as file:
                hasher = hashlanes.new(algorithm)
                while part := file.read(1 << 20):
                    hasher.update(part)
                return hasher.digest()
        except OSError as error:
            return error


@dataclass
class RemoteFiles(OpenedFiles):
    """The files under a URL that `fsspec` opens. Names are the parts after the URL and a slash."""

    url: str
    options: dict[str, Any] = field(default_factory=dict)

    def _file_system(self) -> tuple[Any, str]:
        file_system, root = import_module("fsspec.core").url_to_fs(self.url, **self.options)
        return file_system, root.rstrip("/")

    def find(self) -> list[Named]:
        file_system, root = self._file_system()
        found = file_system.find(root, detail=True)
        return [(name.removeprefix(root).lstrip("/"), entry["size"]) for name, entry in found.items()]

    def open(self, name: str) -> Any:
        file_system, root = self._file_system()
        return file_system.open(f"{root}/{name}", "rb")


def source_of(source: "str | os.PathLike[str] | Files", options: dict[str, Any] | None) -> Files:
    """A URL's files, a directory's files, or the source itself."""
    if isinstance(source, str) and "://" in source:
        return RemoteFiles(source, options or {})
    if isinstance(source, str | os.PathLike):
        return LocalFiles(os.fspath(source))
    return source


