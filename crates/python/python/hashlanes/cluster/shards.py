"""A tree in shards, and the state of a job: a directory that a later run continues from.

```text
  plan.sha256           what the shards were made from: names, lengths, algorithm, bytes of a shard
  shard.2-of-8          names, NUL after each, as `hashlanes manifest split` writes them
  shard.2-of-8.sums     the shard's manifest, whole or absent; `hashlanes manifest merge` joins them
```

Shards are runs of the order in which `hashlanes sum -r` lists a tree: by the bytes of names, depth first. So their manifests one after
the other are that of one machine.
"""

import os
from pathlib import Path

import hashlanes
from hashlanes.cluster.sources import Named

COST_OF_A_FILE = 4096
"""A file counts as so many bytes more than it has."""


def in_order(files: list[Named]) -> list[Named]:
    return sorted(files, key=lambda file: os.fsencode(file[0]).split(b"/"))


def cut(files: list[Named], shard_bytes: int) -> list[list[str]]:
    """Runs of names of about `shard_bytes` bytes each; one of no names if there are no files."""
    total = sum(n_bytes + COST_OF_A_FILE for _, n_bytes in files)
    n_shards = max(1, -(-total // shard_bytes))
    shards: list[list[str]] = [[] for _ in range(n_shards)]
    before = 0
    for name, n_bytes in files:
        shards[min(before * n_shards // total, n_shards - 1)].append(name)
        before += n_bytes + COST_OF_A_FILE
    return shards


def line(digest: bytes, name: str) -> bytes:
    """A line as sha256sum prints it."""
    raw = os.fsencode(name)
    escaped = raw.replace(b"\\", b"\\\\").replace(b"\n", b"\\n").replace(b"\r", b"\\r")
    mark = b"\\" if escaped != raw else b""
    return mark + digest.hex().encode() + b"  " + escaped + b"\n"


class State:
    """The shards of a job, and which of them are done."""

    def __init__(self, directory: Path, files: list[Named], algorithm: str, shard_bytes: int) -> None:
        """Continues the job in a directory, or begins it there.

        Raises `FileExistsError` if the directory holds the state of another job.
        """
        self.directory = directory
        self.shards = cut(files, shard_bytes)
        directory.mkdir(parents=True, exist_ok=True)
        plan = hashlanes.sha256(f"{algorithm} {shard_bytes}\n".encode())
        for name, n_bytes in files:
            plan.update(b"%d %s\0" % (n_bytes, os.fsencode(name)))
        path = directory / "plan.sha256"
        if not path.exists():
            for number, names in enumerate(self.shards):
                self._write(self._list(number), b"".join(os.fsencode(name) + b"\0" for name in names))
            self._write(path, plan.hexdigest().encode())
        elif path.read_text() != plan.hexdigest():
            raise FileExistsError(f"{directory}: the state of another job, or its files changed; name another directory")

    def missing(self) -> list[int]:
        """The shards that are not done."""
        return [number for number in range(len(self.shards)) if not self._sums(number).exists()]

    def done(self, number: int, manifest: bytes) -> None:
        self._write(self._sums(number), manifest)

    def merge(self, output: Path) -> None:
        """Writes the manifests one after the other."""
        temporary = output.with_name(f".{output.name}.{os.getpid()}")
        with open(temporary, "wb") as out:
            for number in range(len(self.shards)):
                out.write(self._sums(number).read_bytes())
            out.flush()
            os.fsync(out.fileno())
        temporary.rename(output)

    def _list(self, number: int) -> Path:
        return self.directory / f"shard.{number + 1}-of-{len(self.shards)}"

    def _sums(self, number: int) -> Path:
        return self._list(number).with_name(self._list(number).name + ".sums")

    def _write(self, path: Path, contents: bytes) -> None:
        """A file is whole under its name, or absent."""
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        with open(temporary, "wb") as out:
            out.write(contents)
            out.flush()
            os.fsync(out.fileno())
        temporary.rename(path)
