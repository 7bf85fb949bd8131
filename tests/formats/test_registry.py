"""The list of formats, the choice among them, and what holds for every format."""

import subprocess
import sys

import numpy as np
import pytest

from boruvka import Graph
from boruvka.errors import FormatError, OptionError
from boruvka.formats import FORMATS, check_output, read, write
from boruvka.formats.edge_file import EdgeFile
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile
from boruvka.formats.registry import format_to_read

GRAPH = Graph(3, [0, 1], [1, 2], [5, 6])


@pytest.mark.parametrize("chosen", FORMATS, ids=lambda chosen: chosen.name)
def test_a_format_describes_itself_and_refuses_what_it_does_not_take(chosen, tmp_path):
    assert [other.name for other in FORMATS].count(chosen.name) == 1
    assert chosen.description
    assert issubclass(chosen.codec.file_class, EdgeFile)
    assert all(ending.startswith(".") and ending == ending.lower() for ending in chosen.endings)
    values = {"header": True, "n": 3, "one_based": True, "layer": "a", "columns": (0, 1, 2), "names": True}
    for name, value in values.items():
        if name not in chosen.codec.options:
            with pytest.raises(OptionError, match=f"{chosen.name!r} does not take {name}; it takes "):
                read(tmp_path / "a", format=chosen.name, **{name: value})
    if chosen.codec.write is None and chosen.endings:
        for attempt in check_output, lambda path: write(GRAPH, path):
            with pytest.raises(FormatError, match=f"the format {chosen.name!r} is only read"):
                attempt(tmp_path / f"a{chosen.endings[0]}")


def test_how_files_can_be_read():
    """`boruvka.read_chunk` and streams say this of the formats."""
    assert {f.name for f in FORMATS if f.codec.has_edge_lines} == {
        "dimacs",
        "dimacs-edge",
        "edges",
        "csv",
        "tsv",
    }
    divisible = {f.name for f in FORMATS if f.codec.is_divisible and not f.codec.has_edge_lines}
    assert divisible == {"parquet", "npz"}


@pytest.mark.parametrize("name", [f.name for f in FORMATS])
@pytest.mark.parametrize("seeds", [8, pytest.param(200, marks=pytest.mark.long)])
def test_a_random_or_empty_file_is_a_format_error(file, name, seeds):
    """`tests.fuzz.test_files` damages valid files of every format."""
    for seed in range(seeds):
        random = np.random.default_rng(seed)
        letters = np.frombuffer(b"0123456789 .-+e\n\n,\taEpsnif", np.uint8)
        content = bytes(random.choice(letters, 300)) if seed % 2 else random.bytes(300 * (seed > 0))
        with pytest.raises(FormatError):
            read(file("a", content.replace(b"#", b"?")), format=name)  # comments alone are a graph


@pytest.mark.parametrize("name", ["xyz", 3])
def test_an_unknown_format(name, tmp_path):
    for attempt in read, lambda path, format: write(GRAPH, path, format=format):
        with pytest.raises(OptionError, match=rf"there is no format {name!r}; there are dimacs.*formats\.md"):
            attempt(tmp_path / "a.gr", format=name)
    with pytest.raises(OptionError, match=r"there is no format 'price': did you mean prices\?"):
        read(tmp_path / "a.gr", format="price")
    with pytest.raises(OptionError, match=r"there is no format 'mtx', but \.mtx is matrix-market"):
        read(tmp_path / "a.gr", format="mtx")


@pytest.mark.parametrize("ending", ["", ".xyz"])
def test_an_unknown_ending(ending, tmp_path):
    path = tmp_path / f"a{ending}"
    with pytest.raises(FormatError, match=rf"a{ending}: the ending shows no format; .*csv.*geojson$"):
        write(GRAPH, path)
    with pytest.raises(
        FormatError, match=r"a\.xlsx: a workbook: write csv, or .* forest.to_pandas\(\).to_exc"
    ):
        write(GRAPH, path.with_suffix(".xlsx"))
    path.write_bytes(b"\0\1\2")
    with pytest.raises(FormatError, match=rf"a{ending}: the ending shows no format; .*csv.*docs/formats"):
        read(path)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        *(
            ({"n": n}, r"n must be an integer from 0 to 281474976710656, got ")
            for n in (-1, 2**48 + 1, "a", 2.5)
        ),
        *(({"columns": c}, "columns must be names or positions") for c in ((0, 1, [2]), 3, (0, 1, 2.0))),
        ({"names": ["a"]}, "names must be True or False"),
        ({"layer": 1}, "layer must be a text, got 1"),
    ],
)
def test_options_of_wrong_types(options, message, tmp_path):
    with pytest.raises(OptionError, match=message):
        read(tmp_path / "a.csv", **options)


def test_importing_does_not_load_what_only_reading_needs():
    heavy = "{'numba', 'polars', 'pyarrow', 'scipy', 'zstandard'}"
    code = f"import sys, boruvka.formats; print({heavy} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("a.txt", "c x\np edge 2 1\ne 1 2 5\n", "dimacs-edge"),
        ("a.txt", "p col 2 1\ne 1 2 5\n", "dimacs-edge"),
        ("a.txt", "c x\np sp 2 1\na 1 2 5\n", "dimacs"),
        ("a.gr", "p edge 2 1\ne 1 2 5\n", "dimacs"),
        ("a.col", "p sp 2 1\na 1 2 5\n", "dimacs-edge"),
    ],
)
def test_both_formats_of_dimacs(tmp_path, name, content, format):
    path = tmp_path / name
    path.write_text(content)
    assert format_to_read(InputFile(path), None, Options()).name == format
    assert read(path).w.tolist() == [5]
