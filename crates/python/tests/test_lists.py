"""Files checked against lists of digests; audits."""

import base64
import hashlib
import json
import os
import signal
import subprocess
import sys
import time

import hashlanes
import pytest


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A directory with three files, which is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "d").mkdir()
    for name, data in [("d/a", b"one"), ("d/b", b""), ("d/with\nnewline", b"three")]:
        (tmp_path / name).write_bytes(data)
    return tmp_path


def digests(algorithm):
    names = ["d/a", "d/b", "d/with\nnewline"]
    return [(name, hashlib.new(algorithm, open(name, "rb").read()).digest()) for name in names]


def gnu():
    lines = [(digest.hex(), name) for name, digest in digests("sha256")]
    escaped = [("\\" if "\n" in name else "", digest, name.replace("\n", "\\n")) for digest, name in lines]
    return "".join(f"{mark}{digest}  {name}\n" for mark, digest, name in escaped)


def bsd():
    first, last = digests("sha512"), digests("sha1")
    tagged = [("SHA512", file) for file in first[:2]] + [("SHA1", file) for file in last[:2]]
    in_turns = [tagged[0], tagged[2], tagged[1], tagged[3]]
    return "".join(f"{tag} ({name}) = {digest.hex()}\n" for tag, (name, digest) in in_turns)


def csv():
    return "name,size,sha256\r\n" + "".join(f'"{name}",0,{digest.hex()}\r\n' for name, digest in digests("sha256"))


def objects():
    return [{"name": name, "sha384": digest.hex()} for name, digest in digests("sha384")]


FORMATS = {
    "gnu": gnu,
    "bsd, two hashes": bsd,
    "csv": csv,
    "json": lambda: json.dumps(objects()),
    "ndjson": lambda: "".join(json.dumps(o) + "\n" for o in objects()),
    "hashdeep": lambda: "%%%% HASHDEEP-1.0\n%%%% size,sha256,filename\n"
    + "".join(f"0,{digest.hex()},{name}\n" for name, digest in digests("sha256")[:2]),
    "sri": lambda: "".join(
        f"sha256-{base64.b64encode(digest).decode()}  {name}\n" for name, digest in digests("sha256")[:2]
    ),
}


@pytest.mark.parametrize("text", FORMATS.values(), ids=FORMATS.keys())
def test_check(tree, text):
    (tree / "list").write_text(text(), newline="")
    n_bytes = []
    checked = list(hashlanes.check("list", progress=n_bytes.append))
    assert [file.path for file in checked] in (["d/a", "d/b"], ["d/a", "d/b", "d/with\nnewline"])
    assert all(file.ok and file.error is None for file in checked)
    assert sum(n_bytes) > 0
    (tree / "d/a").write_bytes(b"two")
    (tree / "d/b").unlink()
    first, second, *_ = hashlanes.check(tree / "list")
    assert first == ("d/a", False, None)
    assert not second.ok and isinstance(second.error, FileNotFoundError)


def test_lists_that_are_none(tree):
    (tree / "list").write_text("no list\n")
    with pytest.raises(hashlanes.FormatError, match="list: no properly formatted checksum lines found"):
        list(hashlanes.check("list"))
    (tree / "list").write_text('[{"name": 5}]')
    with pytest.raises(hashlanes.FormatError, match="list: not a list of digests: object 1: an object without name"):
        list(hashlanes.check("list"))
    with pytest.raises(FileNotFoundError):
        list(hashlanes.check("missing"))
    with pytest.raises(ValueError, match='^algorithm: unsupported hash type "md5"'):
        list(hashlanes.check("list", "md5"))
    with pytest.raises(TypeError, match="^algorithm: expected a string, not int"):
        list(hashlanes.check("list", 5))


def test_malformed_lines(tree):
    (tree / "list").write_text(gnu() + "nonsense\n")
    with pytest.warns(UserWarning, match="list: line 4: improperly formatted"):
        assert all(file.ok for file in hashlanes.check("list"))
    with pytest.raises(hashlanes.FormatError, match="list: line 4: improperly formatted"):
        list(hashlanes.check("list", strict=True))


@pytest.mark.parametrize("text", FORMATS.values(), ids=FORMATS.keys())
def test_audit(tree, text):
    (tree / "list").write_text(text(), newline="")
    has_newline = "newline" in text()
    found = hashlanes.audit("list")
    assert found.n_same == 2 + has_newline
    assert found.new == ([] if has_newline else ["d/with\nnewline"])
    os.rename("d/a", "d/c")
    (tree / "d/b").write_bytes(b"other")
    (tree / "d/e").write_bytes(b"new")
    found = hashlanes.audit(tree / "list", ["d"])
    assert found.moved == [("d/a", "d/c")]
    assert found.changed == ["d/b"]
    assert "d/e" in found.new
    assert found.missing == [] == found.errors
    assert not found.is_clean
    os.remove("d/c")
    assert hashlanes.audit("list").missing == ["d/a"]


def test_audit_of_the_directory_of_the_manifest(tree):
    (tree / "list").write_text(gnu())
    assert hashlanes.audit("list", ["d"]).is_clean
    (tree / "d/SUMS").write_text(gnu())
    assert hashlanes.audit("d/SUMS").is_clean, "the manifest is not in itself"


def test_audit_of_damaged_manifests(tree):
    (tree / "list").write_text(f"{bytes(32).hex()}  d/a\n{gnu()}nonsense\n")
    found = hashlanes.audit("list")
    assert found.n_same == 2
    assert sorted(map(str, found.errors)) == [
        "list: d/a: listed twice, with different digests",
        "list: improperly formatted lines: 1",
    ]
    (tree / "list").write_text("nonsense\n")
    with pytest.raises(hashlanes.FormatError, match="list: not a manifest: no properly formatted line"):
        hashlanes.audit("list")


INTERRUPTED = """
import hashlanes, time
print("begun", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print(time.monotonic())
"""
LONG_CALLS = [
    'list(hashlanes.check("list"))',
    'hashlanes.audit("list", ["endless"])',
    'hashlanes.tree("/dev/zero", "mh_sha256")',
    'hashlanes.tree("/dev/zero", "fs-verity")',
    'list(hashlanes.sum(["pipe"]))',
]


@pytest.mark.parametrize("call", LONG_CALLS)
def test_interrupt(tmp_path, call):
    """Ctrl-C ends what takes forever, and a read that waits, within 100 ms."""
    (tmp_path / "list").write_text(f"{bytes(32).hex()}  /dev/zero\n")
    (tmp_path / "endless").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe")
    writer = os.open(tmp_path / "pipe", os.O_RDWR)
    command = [sys.executable, "-c", INTERRUPTED.format(call=call)]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    try:
        assert child.stdout.readline() == "begun\n"
        time.sleep(0.3)
        start = time.monotonic()
        child.send_signal(signal.SIGINT)
        assert float(child.stdout.readline()) - start < 0.1
    finally:
        child.kill()
        child.communicate()
        os.close(writer)
