import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

from boruvka.bench.figures import figures_of
from boruvka.bench.html_report import page
from boruvka.bench.report import write_figures, write_report
from boruvka.bench.tables import check_baseline, markdown, steps_table, three_figures, times_table
from boruvka.errors import FileError, MissingExtraError, OptionError

from .fake_contestants import sample_results

RESULTS = sample_results()


def test_times():
    table = times_table(RESULTS.graphs[0])
    assert table.header[5:] == ("/ boruvka", "/ streaming", "bytes an edge", "error")
    rows = {row[:2]: row[2:] for row in table.rows}
    assert rows["boruvka", "1"] == ("0", "500", "4.0 %", "1.00", "50.0", "8.0", "")
    assert rows["boruvka", "2"] == ("0", "250", "*", "1.00", "25.0", "", "")
    assert rows["scipy", "1"] == ("1,500", "7,500", "1.0 %", "15.0", "750", "0.1", "")
    assert rows["<b>&", "1"] == ("", "", "", "", "", "", "wrong: 3 edges, the forest has 4")
    assert table.remarks[0].startswith("* the runs did not")
    assert table.remarks[1] == "networkx left out: more than 200,000 edges"


def test_times_against_another():
    rows = {row[:2]: row[5] for row in times_table(RESULTS.graphs[0], "scipy").rows}
    assert rows["boruvka", "1"] == "0.0667"
    assert rows["boruvka", "2"] == "0.0333"  # SciPy ran on one thread only
    check_baseline([RESULTS], "scipy")
    with pytest.raises(OptionError, match="no contestant 'boost' in the results; there are boruvka, scipy"):
        check_baseline([RESULTS], "boost")


def test_steps():
    rows = steps_table(RESULTS.graphs[0].entries[0]).rows
    assert rows[0] == ("1", "all", "100", "900", "offer", "250.000", "500", "2.0")
    assert rows[1][4:] == ("hook", "125.000", "", "")
    assert rows[-1][4:] == ("outside", "62.500", "", "")


@pytest.mark.parametrize(
    ("x", "text"), [(0, "0"), (0.00001, "0.0000"), (0.1234, "0.123"), (9.996, "10.00"), (12345.6, "12,346")]
)
def test_three_figures(x, text):
    assert three_figures(x) == text


def test_markdown_is_a_table():
    lines = markdown(times_table(RESULTS.graphs[0])).splitlines()
    cells = [line.count("|") for line in lines if line.startswith("|")]
    assert set(cells) == {10}
    assert len(cells) == 2 + 8


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


def test_the_page_is_whole():
    text = page([RESULTS, sample_results(sizes=(10,))], "boruvka")
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
        write_report([RESULTS], tmp_path / name, "boruvka")
    assert "7,500" in (tmp_path / "r.md").read_text()
    with pytest.raises(OptionError, match=r"a report ends in \.html or \.md"):
        write_report([RESULTS], tmp_path / "r.pdf", "boruvka")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["r.html", "r.md"]


@pytest.mark.parametrize(("kind", "magic"), [("svg", b"<?xml"), ("png", b"\x89PNG")])
def test_figures(kind, magic, tmp_path):
    paths = write_figures([RESULTS], tmp_path / "figures", kind)
    assert len(paths) == 7
    assert paths[0].name == f"curve-random-float32-seed-1.{kind}"
    assert all(path.read_bytes().startswith(magic) for path in paths)


def test_figures_hold_the_numbers():
    curve, times, steps, *_ = (figure for _, figure in figures_of(RESULTS))
    lines = {line.get_label(): line for line in curve.axes[0].get_lines()}
    assert set(lines) == {
        *(f"{name}, {k}" for name in ("boruvka", "streaming", "random-access") for k in (1, 2)),
        "scipy, 1",
    }
    assert lines["boruvka, 1"].get_xdata().tolist() == [1000, 2000, 4000]
    assert lines["boruvka, 1"].get_ydata().tolist() == [5e5, 2.5e5, 1.25e5]
    assert [bar.get_width() for bar in times.axes[0].patches] == [250, 500, 7500]
    widths = [bar.get_width() for bar in steps.axes[0].patches]
    assert widths == [312.5, 312.5, 125, 125, 62.5, 0]


def test_nobody_solved():
    failed = sample_results(sizes=(8,)).graphs[0]
    failed = type(failed)(*[*vars(failed).values()][:7], entries=failed.entries[-1:])
    results = type(RESULTS)(*[*vars(RESULTS).values()][:4], graphs=(failed,))
    assert list(figures_of(results)) == []
    assert "wrong: 3 edges" in page([results], "boruvka")


def test_matplotlib_is_named_where_it_is_missing(monkeypatch, tmp_path):
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
