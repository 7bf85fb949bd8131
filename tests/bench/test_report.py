import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

from boruvka.bench.figures import figures_of
from boruvka.bench.report import write_figures, write_report
from boruvka.errors import FileError, MissingExtraError, OptionError

from .fake_contestants import sample_results

RESULTS = sample_results()


class Checker(HTMLParser):
    """Collects what a page is made of."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.ids, self.links = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("href", "src", "xlink:href"):
                self.links.append(value)


@pytest.mark.long
def test_the_page_is_whole(tmp_path):
    write_report([RESULTS, sample_results(sizes=(10,))], tmp_path / "r.html", "boruvka")
    text = (tmp_path / "r.html").read_text()
    found = Checker(text)
    assert "script" not in found.tags
    assert found.tags.count("svg") == 1 + 2 * 3 + 2
    assert len(set(found.ids)) == len(found.ids)
    assert all(link.startswith("#") and link[1:] in found.ids for link in found.links)
    for words in (
        "an abacus",
        "&lt;b&gt;&amp;",
        "7,500",
        "15.0",
        "left out: more than 200,000 edges",
        "hook",
    ):
        assert words in text
    assert "<b>&" not in text
    assert "currentColor" in text
    assert not re.search(r'(src|@import|url\()\s*=?\s*["\']?http', text)


def test_files(tmp_path):
    for name in "r.html", "r.md":
        write_report([sample_results(sizes=(9,))], tmp_path / name, "boruvka")
    assert "7,500" in (tmp_path / "r.md").read_text()
    found = Checker((tmp_path / "r.html").read_text())
    assert "svg" in found.tags
    assert "script" not in found.tags
    assert all(link.startswith("#") and link[1:] in found.ids for link in found.links)
    with pytest.raises(OptionError, match=r"a report ends in \.html or \.md"):
        write_report([RESULTS], tmp_path / "r.pdf", "boruvka")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["r.html", "r.md"]


@pytest.mark.parametrize(
    ("kind", "magic"), [("svg", b"<?xml"), pytest.param("png", b"\x89PNG", marks=pytest.mark.long)]
)
def test_figures(kind, magic, tmp_path):
    paths = write_figures([sample_results(sizes=(9,))], tmp_path / "figures", kind)
    names = [f"{what}-random-n-1-m-9-seed-1.{kind}" for what in ("times", "steps")]
    assert [path.name for path in paths] == names
    assert all(path.read_bytes().startswith(magic) for path in paths)


def test_all_failed(tmp_path):
    failed = sample_results(sizes=(8,)).graphs[0]
    failed = type(failed)(*[*vars(failed).values()][:7], entries=failed.entries[-1:])
    results = type(RESULTS)(*[*vars(RESULTS).values()][:4], graphs=(failed,))
    assert list(figures_of(results)) == []
    write_report([results], tmp_path / "r.html", "boruvka")
    assert "wrong: 3 edges" in (tmp_path / "r.html").read_text()


def test_missing_matplotlib(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtraError, match=r"boruvka\[plot\]"):
        write_report([RESULTS], tmp_path / "r.html", "boruvka")
    assert list(tmp_path.iterdir()) == []
    write_report([RESULTS], tmp_path / "r.md", "boruvka")


def test_a_folder_that_is_a_file(tmp_path):
    (tmp_path / "figures").write_text("")
    with pytest.raises(FileError, match="figures"):
        write_figures([RESULTS], tmp_path / "figures", "svg")


def test_tables_load_no_matplotlib():
    code = "import sys, boruvka.bench.tables, boruvka.bench.report; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
