"""The examples of the READMEs."""

import re
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]


@pytest.mark.parametrize("readme", [PACKAGE / "README.md", PACKAGE.parents[1] / "README.md"], ids=str)
def test_examples(readme):
    blocks = re.findall(r"^```python\n(.*?)^```$", readme.read_text(), re.DOTALL | re.MULTILINE)
    assert blocks
    exec("\n".join(blocks), {})
