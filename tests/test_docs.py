"""The pages of the documentation site hang together, and the scripts of its gallery run."""

import re
import tomllib
from pathlib import Path

import matplotlib
import pytest
from matplotlib import pyplot

import boruvka

DOCS = Path(__file__).parents[1] / "docs"
GALLERY = sorted((DOCS / "gallery").glob("*.py"))
MADE = "auto_gallery", "generated", "gallery", "_templates"
"""Folders that Sphinx makes, and those that it makes them from."""
PAGES = sorted(
    path
    for ending in ("md", "rst")
    for path in DOCS.rglob(f"*.{ending}")
    if not set(MADE) & set(path.relative_to(DOCS).parts)
)


def name_of(path):
    return str(path.relative_to(DOCS))


def toctree_entries(page):
    """Return the pages that the tables of contents of a page name."""
    block = r"```\{toctree\}\n(.*?)```" if page.suffix == ".md" else r"\.\. toctree::\n((?:   .*\n|\n)*)"
    for entries in re.findall(block, page.read_text(), re.DOTALL):
        for entry in entries.split("\n"):
            if entry.strip() and not entry.strip().startswith(":"):
                yield (page.parent / entry.strip()).resolve()


def test_every_page_is_in_a_table_of_contents():
    reached, waiting = set(), [DOCS / "index.md"]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        for entry in toctree_entries(page):
            if not set(MADE) & set(entry.parts):
                files = [path for path in (Path(f"{entry}.md"), Path(f"{entry}.rst")) if path.exists()]
                assert files, f"{name_of(page)} names {entry}, which is not there"
                waiting += [path for path in files if path not in reached]
    assert sorted(reached) == sorted(PAGES)


def anchors(document):
    """Return the anchors of the headings of a document, as code hosts and the site name them."""
    text = re.sub(r"```.*?```", "", document.read_text(), flags=re.DOTALL)
    headings = re.findall(r"^#+ (.*)", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", [page for page in PAGES if page.suffix == ".md"], ids=name_of)
def test_links_to_headings(page):
    for target, anchor in re.findall(r"\]\(([^)#]*\.md)?#([^)]+)\)", page.read_text()):
        assert anchor in anchors(page.parent / target if target else page), (target, anchor)


@pytest.mark.parametrize(
    "module",
    ["", "csgraph", "dask", "distributed", "generators", "sklearn", "spark", "stream"],
)
def test_the_api_pages_have_all_public_names(module):
    """Tables of what there is (in capitals), and what describes a family, are for programs."""
    name = f"boruvka.{module}".strip(".")
    described = pytest.importorskip(name, exc_type=boruvka.MissingExtraError)
    names = {x for x in described.__all__ if not x.isupper()}
    pages = "".join(page.read_text() for page in (DOCS / "api").glob("*.rst"))
    shown = set()
    for block in re.findall(
        rf"^\.\. currentmodule:: {name}\n(.*?)(?=^\.\. currentmodule|\Z)", pages, re.M | re.S
    ):
        shown |= set(re.findall(r"^   (\w+)$", block, re.M))
    elsewhere = {"generators", "FrameForest", "Family", "Parameter"}
    elsewhere |= {"kronecker_edges"}
    assert names - shown - elsewhere == set()


@pytest.mark.parametrize("page", [page for page in PAGES if page.suffix == ".rst"], ids=name_of)
def test_links_of_the_api_pages(page):
    for target in re.findall(r":doc:`([^`]+)`", page.read_text()):
        home = DOCS if target.startswith("/") else page.parent
        assert (home / f"{target.lstrip('/')}.md").exists(), target


def test_the_list_of_the_gallery_is_complete():
    listed = re.findall(r"\((\w+\.py)\)", (DOCS / "gallery" / "scripts.md").read_text())
    assert sorted(listed) == [path.name for path in GALLERY]


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.long] if path.stem == "clusters" else [])  # it compiles much
        for path in GALLERY
    ],
    ids=lambda path: path.stem,
)
def test_gallery_scripts_run(path, capsys, monkeypatch, tmp_path):
    matplotlib.use("agg")
    monkeypatch.chdir(tmp_path)
    code, places = re.subn(r"^SIZE = .*# tests: (.*)$", r"SIZE = \1", path.read_text(), flags=re.MULTILINE)
    assert places == 1
    for library in re.findall(r"^from (scipy|skimage|sklearn)\b", code, re.MULTILINE):
        pytest.importorskip(library)
    if "kamada_kawai_layout" in code:  # of NetworkX
        pytest.importorskip("scipy")
    try:
        exec(compile(code, path, "exec"), {"__name__": "__main__"})
        assert pyplot.get_fignums() == [1]
        pyplot.figure(1).canvas.draw()
    finally:
        pyplot.close("all")
    assert capsys.readouterr().out


def test_the_page_on_installation_names_all_extras():
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text())["project"]
    listed = re.findall(r"^\| (`.*?) \|", (DOCS / "install.md").read_text(), re.MULTILINE)
    extras = re.findall(r"`(\w+)`", "".join(listed))
    assert sorted([*extras, "dev", "docs", "test", "testwheel"]) == sorted(project["optional-dependencies"])


def test_the_table_of_all_rounds():
    """It has what the example beside it prints; leaving edges ascend, and the first one is chosen."""
    page = (DOCS / "explanations" / "boruvka.md").read_text()
    edges = re.findall(r"(\w\w) (\d+)", re.search(r'listed = "(.*)"', page)[1])
    rows = re.findall(r"^\| \d? ?\| (\w+) \| (.*?) \| (.*?) \| ?(.*?) ?\|$", page, re.MULTILINE)
    for component, leaving, chosen, _ in rows:
        expected = sorted(
            (int(w), k, ends)
            for k, (ends, w) in enumerate(edges)
            if (ends[0] in component) != (ends[1] in component)
        )
        assert leaving.replace("*", "").split(", ") == [f"{ends} {w}" for w, _, ends in expected]
        assert leaving.startswith(f"**{chosen}**")
    printed = re.search(r"```text\n(a: .*?)```", page, re.DOTALL)[1]
    assert re.findall(r"(\w+): (\w\w \d+)", printed) == [(row[0], row[2]) for row in rows]
    dropped = sorted(re.findall(r"(\w\w \d+) is dropped", printed))
    assert dropped == sorted(re.findall(r"\w\w \d+", " ".join(row[3] for row in rows)))
