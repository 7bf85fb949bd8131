import re
import tomllib
from pathlib import Path

from tests.packaging.smoke import EXTRAS, UNCHECKED

ROOT = Path(__file__).parents[2]


def test_every_extra_is_tried_or_says_why_not():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert set(extras) <= EXTRAS.keys() | UNCHECKED.keys()
    assert extras.keys() >= EXTRAS.keys()
    assert not EXTRAS.keys() & UNCHECKED.keys()


def test_the_smoke_test_imports_nothing_of_the_tests():
    """It runs outside the repository."""
    source = (ROOT / "tests/packaging/smoke.py").read_text()
    assert not re.search(r"^\s*(from|import) (tests|pytest)", source, re.MULTILINE)
