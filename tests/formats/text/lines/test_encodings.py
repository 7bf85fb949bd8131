"""Text that is not in UTF-8: read as the same text in UTF-8, with a warning that names the encoding."""

import warnings

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import boruvka
import boruvka.stream
from boruvka import FormatError, GraphWarning, read
from boruvka.formats import FileChunk, read_chunk
from boruvka.formats.points import read_coordinates, read_points, read_profiles
from tests.formats.helpers import assert_same

TABLE = "Quelle;Ziel;Länge\r\nKöln;Bonn;30\r\nBonn;Münster;170\r\nKöln;Münster;150\r\n"
NUMBERS = "u,v,w\n" + "".join(f"{i},{i + 1},{i % 7}\n" for i in range(50))
ENCODINGS = {"utf-16": "UTF-16", "utf-16-le": "UTF-16LE", "utf-16-be": "UTF-16BE", "cp1252": "Windows-1252"}


@pytest.mark.parametrize(("encoding", "name"), ENCODINGS.items())
def test_tables(file, encoding, name):
    columns = ("Quelle", "Ziel", "Länge")
    expected = read(file("a.csv", TABLE), columns=columns)
    for written in file("b.csv", TABLE.encode(encoding)), file("c.csv.gz", TABLE.encode(encoding)):
        with pytest.warns(GraphWarning, match=f"read as {name}"):
            graph = read(written, columns=columns)
        assert_same(graph, expected)
        assert list(graph.names) == ["Köln", "Bonn", "Münster"]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", "0 1 5\n1 2 3\n"),
        ("a.gr", "p sp 3 2\na 1 2 5\na 2 3 3\n"),
        ("a.adj", "2\n0 3\n3 0\n"),
        ("a.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 5\n3 2 3\n"),
    ],
)
def test_every_text_may_be_utf_16(file, encoding, name, content):
    expected = read(file(name, content))
    with pytest.warns(GraphWarning, match="read as UTF-16"):
        assert_same(read(file(name, content.encode(encoding))), expected)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_points_and_profiles(file, encoding):
    content = "id\tx\ty\nKöln\t1.5\t2\nBonn\t3\t4\n".encode(encoding)
    with pytest.warns(GraphWarning, match="read as"):
        points = read_points(file("p.tsv", content), id="id")
    assert np.array_equal(points.coordinates, [[1.5, 2], [3, 4]])
    assert list(points.names) == ["Köln", "Bonn"]
    with pytest.warns(GraphWarning, match="read as"):
        assert list(read_coordinates(file("p.tsv", content)).vertices) == ["Köln", "Bonn"]
    with pytest.warns(GraphWarning, match="read as"):
        assert list(read_profiles(file("p.tsv", content), id="id").names) == ["Köln", "Bonn"]


@pytest.mark.filterwarnings("ignore:.*read as UTF-16")
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_errors_name_the_line(file, encoding):
    path = file("a.csv", "u;v;w\nKöln;Bonn;1\n\nBonn;Ulm;x\n".encode(encoding))
    with pytest.raises(FormatError, match=r"a\.csv:4: "):
        read(path)


@pytest.mark.parametrize(
    "content",
    ["u,v,w\na,ö,5\n".encode() + b"\xff,d,1\n", b"u,v,w\na,\x81,5\n", b"\xff\xfeu\0,\0v\0\n"],
)
def test_damaged_text(file, content):
    with pytest.raises(FormatError, match="UTF-8"):
        read(file("a.csv", content))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le"])
def test_chunks_and_streams(file, encoding):
    expected, path = read(file("a.csv", NUMBERS)), file("b.csv", NUMBERS.encode(encoding))
    with pytest.warns(GraphWarning, match="UTF-16"):
        chunks = [read_chunk(path, FileChunk(k, 3)) for k in range(3)]
    assert np.array_equal(np.concatenate([chunk.w for chunk in chunks]), expected.w)
    with pytest.warns(GraphWarning, match="UTF-16"):
        streamed = boruvka.stream.minimum_spanning_forest(path)
    assert np.array_equal(streamed.edges, boruvka.minimum_spanning_forest(expected).edges)


@pytest.mark.parametrize("encoding", ["utf-16", "cp1252"])
def test_streams_of_names_say_how_to_convert(file, encoding):
    path = file("a.csv.gz", TABLE.encode(encoding))
    with pytest.raises(FormatError, match=r"iconv -f .* -t UTF-8"):
        boruvka.stream.minimum_spanning_forest(path, columns=("Quelle", "Ziel", "Länge"))


NAMES = st.text(alphabet="aÄöß ñ€Ł", min_size=1, max_size=4).map(lambda name: f"x{name}y")
_LATIN_1 = str.maketrans("Ł€", "LE")
ROWS = st.lists(st.tuples(NAMES, NAMES, st.integers(-999_999, 999_999)), min_size=1, max_size=9)


@given(
    ROWS,
    st.sampled_from(["utf-8", "utf-8-sig", *ENCODINGS]),
    st.sampled_from(",;\t|"),
    st.booleans(),
    st.sampled_from(["csv", "tsv", "txt"]),
    st.booleans(),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_table_in_any_form_is_the_same_graph(
    file, rows, encoding, separator, has_commas, ending, has_header
):
    header = [["u", "v", "w"]] * has_header
    if encoding == "cp1252":  # it has no Ł, and its Ä€ is Ā in UTF-8
        rows = [(u.translate(_LATIN_1), v.translate(_LATIN_1), w) for u, v, w in rows]
    plain = [[u, v, f"{w / 100:.2f}"] for u, v, w in rows]
    has_commas = has_commas and separator != ","
    written = [[u, v, w.replace(".", ",") if has_commas else w] for u, v, w in plain]
    content = "\r\n".join(separator.join(row) for row in header + written)
    expected = "u,v,w\n" + "".join(",".join(row) + "\n" for row in plain)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        graph = read(file(f"a.{ending}", content.encode(encoding)))
    other = read(file("b.csv", expected))
    assert_same(graph, other)
    assert list(graph.names) == list(other.names)
