"""The list of formats, and the choice among them."""

import re
import subprocess
import sys

import pytest

from boruvka import Graph
from boruvka.errors import FormatError, OptionError
from boruvka.formats import FORMATS, read, write

GRAPH = Graph(3, [0, 1], [1, 2], [5, 6])


def test_an_unknown_ending(tmp_path):
    with pytest.raises(FormatError, match=r"a\.xyz: no format has this ending; .*\.gr, \.mtx"):
        read(tmp_path / "a.xyz")
    with pytest.raises(FormatError, match="no format has this ending"):
        write(GRAPH, tmp_path / "a.xyz.gz")


def test_an_unknown_format(tmp_path):
    with pytest.raises(OptionError, match="there is no format 'xyz'; there are dimacs"):
        read(tmp_path / "a.gr", format="xyz")
    with pytest.raises(OptionError, match="there is no format 3; there are dimacs"):
        read(tmp_path / "a.gr", format=3)
    with pytest.raises(OptionError, match="there is no format 3; there are dimacs"):
        write(GRAPH, tmp_path / "a.gr", format=3)


def test_an_option_that_a_format_does_not_take(tmp_path):
    with pytest.raises(OptionError, match="'dimacs' does not take header; it takes none"):
        read(tmp_path / "a.gr", format="dimacs", header=True)
    with pytest.raises(OptionError, match="'npz' does not take n; it takes unweighted"):
        read(tmp_path / "a.npz", format="npz", n=3)
    with pytest.raises(OptionError, match="n must be between 0 and"):
        read(tmp_path / "a.csv", n=-1)
    for n in "a", 2.5:
        with pytest.raises(OptionError, match=f"n must be an integer, got {n!r}"):
            read(tmp_path / "a.csv", n=n)
    for columns in (0, 1, None), 3, (0, 1, 2.0):
        with pytest.raises(OptionError, match="columns must be names or positions"):
            read(tmp_path / "a.csv", columns=columns)
    with pytest.raises(OptionError, match=r"n must be between 0 and 2\*\*48"):
        read(tmp_path / "a.csv", n=2**48 + 1)


def test_formats_describe_themselves():
    names = [f.name for f in FORMATS]
    assert len(set(names)) == len(names)
    for chosen in FORMATS:
        assert chosen.description
        assert all(ending.startswith(".") and ending == ending.lower() for ending in chosen.endings)


def test_importing_does_not_load_what_only_reading_needs():
    code = "import sys, boruvka.formats; print({'numba', 'polars', 'scipy', 'zstandard'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"


@pytest.mark.parametrize("name", ["edgelist", "pajek", "node-link", "graph-tool", "scipy", "counted", "gbbs"])
def test_formats_of_other_libraries(tmp_path, name):
    with pytest.raises(OptionError, match=f"format '{name}' is not read or written here; "):
        read(tmp_path / "a", format=name)
    with pytest.raises(OptionError, match="is not read or written here"):
        write(GRAPH, tmp_path / "a", format=name)


@pytest.mark.parametrize(
    ("ending", "start"),
    [
        ("net", "boruvka.as_graph(networkx."),
        ("json.gz", "boruvka.as_graph("),
        ("gt", "g = graph_tool.load"),
    ],
)
def test_endings_of_other_libraries(tmp_path, ending, start):
    with pytest.raises(FormatError, match=f"in Python: {re.escape(start)}"):
        read(tmp_path / f"a.{ending}")
