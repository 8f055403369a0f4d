"""Manifests of file trees, hashed by local clusters of Ray and Dask; workers that die, reads that fail."""

import errno
import hashlib
import os
import random
import signal
import sys
from pathlib import Path

import hashlanes.cluster
import pytest
from hashlanes.cluster import shards
from hashlanes.cluster.job import shard_hasher

NAMES = ["a", "b/c", "b.d", "b/c.d/e", "with\nnewline", "back\\slash", "z" * 200, *(f"many/{i}" for i in range(300))]


@pytest.fixture(scope="module")
def tree(tmp_path_factory):
    root = tmp_path_factory.mktemp("tree")
    numbers = random.Random(3)
    for name in NAMES:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(numbers.randbytes(numbers.randrange(20_000)))
    (root / "link").symlink_to("a")
    return root


def manifest_of(directory, prefix):
    """As `hashlanes sum -r` prints it: a directory's names by their bytes, depth first."""
    lines = []
    for name in sorted(os.listdir(directory), key=os.fsencode):
        path = Path(directory, name)
        if path.is_dir():
            lines += manifest_of(path, f"{prefix}{name}/")
        elif not path.is_symlink():
            full = f"{prefix}{name}".replace("\\", "\\\\").replace("\n", "\\n")
            mark = "\\" if "\\" in full else ""
            lines.append(f"{mark}{hashlib.sha256(path.read_bytes()).hexdigest()}  {full}\n")
    return lines


@pytest.fixture(scope="module")
def ray():
    engine = pytest.importorskip("ray")
    engine.init(num_cpus=4, include_dashboard=False, log_to_driver=False)
    # Workers cannot import this file.
    engine.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    yield "ray"
    engine.shutdown()


@pytest.fixture(scope="module")
def dask():
    cloudpickle = pytest.importorskip("cloudpickle")
    distributed = pytest.importorskip("dask.distributed")
    cloudpickle.register_pickle_by_value(sys.modules[__name__])
    with distributed.Client(n_workers=4, threads_per_worker=1, dashboard_address=None) as client:
        yield client


@pytest.fixture(params=["ray", "dask"])
def cluster(request):
    return request.getfixturevalue(request.param)


SMALL = 100_000


@pytest.mark.engines
def test_directory(tree, cluster, tmp_path):
    output, steps = tmp_path / "SUMS", []
    done = hashlanes.cluster.manifest(
        tree, output, cluster, shard_bytes=SMALL, progress=lambda done, all: steps.append((done, all))
    )
    assert output.read_text() == "".join(manifest_of(tree, f"{tree}/"))
    assert done.n_files == len(NAMES) and done.n_shards == done.n_hashed > 20
    assert steps == [(i + 1, done.n_shards) for i in range(done.n_shards)]
    assert os.listdir(tmp_path) == ["SUMS"]
    assert all(file.ok for file in hashlanes.check(output))


class Killing(hashlanes.cluster.LocalFiles):
    """The first worker that hashes the middle of the tree is killed."""

    def digests(self, names, algorithm):
        killed = Path(self.root).parent / "killed"
        if any(name.endswith("/many/150") for name in names) and not killed.exists():
            killed.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().digests(names, algorithm)


@pytest.mark.engines
def test_a_killed_worker(tree, cluster, tmp_path):
    killed = tree.parent / "killed"
    killed.unlink(missing_ok=True)
    hashlanes.cluster.manifest(Killing(str(tree)), tmp_path / "SUMS", cluster, shard_bytes=SMALL)
    assert killed.exists()
    assert (tmp_path / "SUMS").read_text() == "".join(manifest_of(tree, f"{tree}/"))


class FailingFile:
    """One read in twenty fails."""

    def __init__(self, path):
        self.file = open(path, "rb")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def read(self, n_bytes):
        if random.random() < 0.05:
            raise OSError(errno.EIO, "Input/output error")
        return self.file.read(n_bytes)


class Failing(hashlanes.cluster.OpenedFiles):
    def __init__(self, root):
        self.files = hashlanes.cluster.LocalFiles(root)

    def find(self):
        return self.files.find()

    def open(self, name):
        return FailingFile(name)


@pytest.mark.engines
def test_reads_that_fail(tree, cluster, tmp_path):
    hashlanes.cluster.manifest(Failing(str(tree)), tmp_path / "SUMS", cluster, shard_bytes=SMALL, retries=12)
    assert (tmp_path / "SUMS").read_text() == "".join(manifest_of(tree, f"{tree}/"))


class Stopping(hashlanes.cluster.LocalFiles):
    """A file cannot be read as long as `stop` exists."""

    def digests(self, names, algorithm):
        if any(name.endswith("/many/99") for name in names) and (Path(self.root).parent / "stop").exists():
            return [OSError(errno.EIO, "Input/output error")] * len(names)
        return super().digests(names, algorithm)


@pytest.mark.engines
def test_a_job_that_continues(tree, cluster, tmp_path):
    stop, state = tree.parent / "stop", tmp_path / "state"
    stop.touch()
    options = {"state": state, "shard_bytes": SMALL, "retries": 0}
    with pytest.raises(OSError, match="Input/output error"):
        hashlanes.cluster.manifest(Stopping(str(tree)), tmp_path / "SUMS", cluster, **options)
    assert not (tmp_path / "SUMS").exists()
    stop.unlink()
    n_done = len(list(state.glob("*.sums")))
    done = hashlanes.cluster.manifest(Stopping(str(tree)), tmp_path / "SUMS", cluster, **options)
    assert done.n_hashed == done.n_shards - n_done
    assert (tmp_path / "SUMS").read_text() == "".join(manifest_of(tree, f"{tree}/"))
    assert hashlanes.cluster.manifest(Stopping(str(tree)), tmp_path / "AGAIN", cluster, **options).n_hashed == 0
    with pytest.raises(FileExistsError, match="the state of another job"):
        hashlanes.cluster.manifest(tree / "many", tmp_path / "SUMS", cluster, **options)


@pytest.mark.engines
def test_s3(tree, cluster, tmp_path, monkeypatch):
    server = pytest.importorskip("moto.server").ThreadedMotoServer(port=0)
    fsspec = pytest.importorskip("fsspec")
    server.start()
    try:
        host, port = server.get_host_and_port()
        options = {"key": "key", "secret": "secret", "endpoint_url": f"http://{host}:{port}"}
        s3 = fsspec.filesystem("s3", **options)
        # Servers of one process share their buckets.
        bucket = "of-ray" if cluster == "ray" else "of-dask"
        s3.mkdir(bucket)
        for name in NAMES[:4] + NAMES[-40:]:
            s3.pipe(f"{bucket}/tree/{name}", (tree / name).read_bytes())
        output = tmp_path / "SUMS"
        done = hashlanes.cluster.manifest(
            f"s3://{bucket}/tree", output, cluster, shard_bytes=SMALL, storage_options=options
        )
        assert done.n_files == 44
        expected = [line for line in manifest_of(tree, "") if line[66:-1] in NAMES[:4] + NAMES[-40:]]
        assert output.read_text() == "".join(expected)
    finally:
        server.stop()


def test_shards():
    files = shards.in_order([("b/c", 10), ("b.d", 5000), ("a", 0), ("b/a", 7)])
    assert [name for name, _ in files] == ["a", "b/a", "b/c", "b.d"]
    assert shards.cut(files, 1 << 40) == [["a", "b/a", "b/c", "b.d"]]
    assert shards.cut([], 5) == [[]]
    cut = shards.cut(files, 9000)
    assert sum(cut, []) == ["a", "b/a", "b/c", "b.d"] and len(cut) == 3


def test_a_shard_on_this_machine(tree, tmp_path):
    names = [name for name, _ in shards.in_order(hashlanes.cluster.LocalFiles(str(tree)).find())]
    work = shard_hasher(hashlanes.cluster.LocalFiles(str(tree)), "sha256", 0)
    assert work(names).decode() == "".join(manifest_of(tree, f"{tree}/"))
    with pytest.raises(FileNotFoundError):
        work([str(tree / "missing")])
    remote = hashlanes.cluster.OpenedFiles()
    with pytest.raises(NotImplementedError):
        remote.open("name")


def test_wrong_arguments(tree, tmp_path):
    with pytest.raises(TypeError, match='cluster: expected "ray" or a dask.distributed.Client, not int'):
        hashlanes.cluster.manifest(tree, tmp_path / "SUMS", 5)
    with pytest.raises(ValueError, match="shard_bytes: 0"):
        hashlanes.cluster.manifest(tree, tmp_path / "SUMS", "ray", shard_bytes=0)
    with pytest.raises(ValueError, match="unsupported hash type"):
        hashlanes.cluster.manifest(tree, tmp_path / "SUMS", "ray", algorithm="md5")
