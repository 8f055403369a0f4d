"""The manifest of a file tree, hashed by a cluster of Ray or Dask.

| module | holds |
|---|---|
| `sources` | where files are: shared directories, `fsspec` URLs |
| `shards` | the tree in shards; the state of a job, on disk |
| `schedulers` | Ray and Dask |
| `job` | the job: its shards, hashed and joined |
"""

from hashlanes.cluster.job import Done, manifest
from hashlanes.cluster.sources import Files, LocalFiles, OpenedFiles, RemoteFiles

__all__ = ["Done", "Files", "LocalFiles", "OpenedFiles", "RemoteFiles", "manifest"]
