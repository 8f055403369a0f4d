"""Checks the contents of built distributions: `wheel.py FILE…`."""

import json
import sys
import tarfile
import zipfile
from pathlib import Path

MOST_BYTES = 3_000_000


def faults(path: Path) -> list[str]:
    found = []
    if path.stat().st_size > MOST_BYTES:
        found.append(f"{path.stat().st_size} bytes, more than {MOST_BYTES}")
    if path.name.endswith(".tar.gz"):
        with tarfile.open(path) as archive:
            names = archive.getnames()
        needed = ["Cargo.lock", "LICENSE-MIT", "LICENSE-APACHE", "PKG-INFO", "hashlanes/py.typed"]
    else:
        with zipfile.ZipFile(path) as archive:
            names = archive.namelist()
            boms = [json.loads(archive.read(name)) for name in names if "/sboms/" in name]
        if not any({"pyo3", "hashlanes"} <= {part["name"] for part in bom["components"]} for bom in boms):
            found.append("no bill of materials lists pyo3 and hashlanes")
        needed = ["hashlanes/_hashlanes.abi3.so", "hashlanes/py.typed", "LICENSE-MIT", "LICENSE-APACHE"]
    return found + [f"no {name}" for name in needed if not any(there.endswith(name) for there in names)]


all_faults = [f"{path}: {fault}" for path in map(Path, sys.argv[1:]) for fault in faults(path)]
sys.exit("\n".join(all_faults) or 0)
