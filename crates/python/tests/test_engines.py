"""The recipes of docs/engines.md, against the real engines."""

import hashlib
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

RECIPES = Path(__file__).parents[3] / "docs/engines.md"
TEXTS = [None if i % 7 == 3 else f"value {i}" for i in range(3000)]
DIGESTS = sorted(hashlib.sha256(text.encode()).hexdigest() for text in TEXTS if text is not None)

sections = re.split(r"^## (.*)$", RECIPES.read_text(), flags=re.MULTILINE)[1:]
blocks = [
    (heading, block)
    for heading, text in zip(sections[::2], sections[1::2], strict=True)
    for block in re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
]


@pytest.fixture
def engines(monkeypatch):
    """Ends what a recipe started."""
    # Workers find the test's interpreter.
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    monkeypatch.setenv("PYSPARK_DRIVER_PYTHON", sys.executable)
    yield
    if "ray" in sys.modules:
        sys.modules["ray"].shutdown()
    if "pyspark.sql" in sys.modules and (session := sys.modules["pyspark.sql"].SparkSession.getActiveSession()):
        session.stop()


@pytest.mark.engines
@pytest.mark.parametrize(("engine", "recipe"), blocks, ids=[engine for engine, _ in blocks])
def test_recipe(engine, recipe, engines, request, tmp_path, monkeypatch):
    import pyarrow

    if extension := request.config.getoption("--duckdb-extension"):
        shutil.copy(extension, tmp_path)

    if engine == "Spark" and not os.path.exists("/usr/bin/java"):
        pytest.skip("there is no Java")
    monkeypatch.chdir(tmp_path)
    names = {"table": pyarrow.table({"text": TEXTS}), "__name__": "__main__"}
    exec(recipe, names)
    digests = names["result"]["sha256"]
    digests = digests.to_pylist() if hasattr(digests, "to_pylist") else list(digests)
    assert sorted(digest for digest in digests if isinstance(digest, str)) == DIGESTS


def test_every_engine_has_a_recipe():
    expected = {"Polars", "DuckDB", "DataFusion", "Ray Data", "pyarrow", "pandas", "Dask", "Spark"}
    assert {engine for engine, _ in blocks} == expected
