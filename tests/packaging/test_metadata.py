"""What the project says of itself agrees, and is true."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

import boruvka

ROOT = Path(__file__).parents[2]
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
    "docs/stability.md",
    "docs/command-line.md",
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def text(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_versions_agree():
    version = re.escape(boruvka.__version__)
    assert re.search(rf"^version: {version}$", text("CITATION.cff"), re.MULTILINE)
    assert re.search(rf"^## {version} ", text("CHANGELOG.md"), re.MULTILINE)


def test_this_python_is_among_the_classifiers():
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert f"Programming Language :: Python :: {here}" in PROJECT["classifiers"]


@pytest.mark.parametrize("name", ["stream", "csgraph", "sklearn", "dask", "spark"])
def test_stability_lists_the_public_names(name):
    rows = [
        line.split("|")[1:3]
        for line in text("docs/stability.md").splitlines()
        if line.startswith("| `boruvka")
    ]
    [public] = [names for modules, names in rows if f"`boruvka.{name}`" in modules]
    module = pytest.importorskip(f"boruvka.{name}", exc_type=boruvka.MissingExtraError)
    assert sorted(re.findall("`([A-Za-z_]+)`", public)) == sorted(module.__all__)
    assert all(hasattr(module, each) for each in module.__all__)


def test_links_of_documents_lead_to_files():
    for name in DOCUMENTS:
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text(name)):
            assert ((ROOT / name).parent / target).exists(), (name, target)
