"""The examples of the package's README and of its page in the handbook."""

import re
import shutil
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]


@pytest.mark.parametrize("readme", [PACKAGE / "README.md", PACKAGE.parents[1] / "docs/python.md"], ids=str)
def test_examples(readme, tmp_path, monkeypatch):
    shutil.copy(readme, tmp_path)
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", readme.read_text(), re.DOTALL | re.MULTILINE)
    assert blocks
    exec("\n".join(blocks), {})
