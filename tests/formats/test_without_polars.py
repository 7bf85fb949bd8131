"""Texts with names, read and written without polars: the same as with it."""

import io
import sys
from contextlib import contextmanager

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import Graph, minimum_spanning_forest, read, stream, write
from boruvka.errors import BoruvkaError, MissingExtraError
from boruvka.formats import read_forest
from boruvka.formats.points import read_coordinates, read_points
from boruvka.formats.text.lines import string_columns
from boruvka.formats.text.lines.string_columns import numbers_of
from tests.formats.helpers import forest_of, graphs
from tests.formats.test_names import between_blanks, in_a_field, integers, named_graphs

TEXTS = ["csv", "tsv", "edges"]
fields = st.text('ab" \t#,;1é', max_size=4) | st.sampled_from(
    [
        "",
        '"a,b"',
        '"a""b"',
        '""',
        '"a" ',
        ' "a"',
        'a"b',
        '"a"b',
        "a b",
        "1",
        "-2.5",
        "1e400",
        "nan",
        "NA",
        "\xff",
    ]
)


@contextmanager
def without_polars():
    """Let imports of polars fail."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "polars", None)
        yield


def outcome(call):
    """Return what a call returns, or the type and the text of its error."""
    try:
        return call()
    except BoruvkaError as error:
        return type(error), str(error)


def edges_of(graph):
    names = None if graph.names is None else (graph.names.dtype, graph.names.tolist())
    return graph.n, names, *((x.dtype, x.tolist()) for x in (graph.u, graph.v, graph.w))


def read_both_ways(content, format, **options):
    def result():
        return edges_of(read(io.BytesIO(content), format=format, **options))

    found = outcome(result)
    with without_polars():
        assert outcome(result) == found
    return found


needs_polars = pytest.mark.needs("polars")


@needs_polars
@pytest.mark.parametrize("format", TEXTS)
@given(data=st.data())
def test_lines_are_read_as_with_polars(format, data):
    mark = {"csv": ",", "tsv": "\t", "edges": " "}[format]
    weights = st.integers(-9, 9).map(str) | fields
    lines = data.draw(st.lists(st.tuples(fields, fields, weights).map(mark.join) | fields, max_size=8))
    end = data.draw(st.sampled_from(["\n", "\r\n"]))
    content = end.join(["x,y,1".replace(",", mark), *lines]).encode()
    for options in {}, {"missing": "drop"}, {"default": 2.5}:
        read_both_ways(content, format, names=True, header=False, **options)
    if b'"' not in content:  # polars does not look at quotes in columns that are not read
        read_both_ways(content, format, names=True, header=False, unweighted=True, columns=(1, 0))


@pytest.mark.filterwarnings("ignore:(.*is the name of a vertex|vertex 0 has no edge)")
@needs_polars
@pytest.mark.parametrize("format", TEXTS)
@given(data=st.data(), batch_bytes=st.sampled_from([1, 20, 1 << 20]))
def test_graphs_are_written_and_read_as_with_polars(format, data, batch_bytes):
    names = between_blanks if format == "edges" else in_a_field
    graph = data.draw(named_graphs(names) | named_graphs(integers) | graphs())
    forest = minimum_spanning_forest(graph, backend="interpreted")
    for result in graph, forest, forest_of(graph, []):

        def content(result=result):
            file = io.BytesIO()
            write(result, file, format=format)
            return file.getvalue()

        written = outcome(content)
        with without_polars():
            assert outcome(content) == written
        if isinstance(written, bytes) and result is graph:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(string_columns, "_BATCH_BYTES", batch_bytes)
                assert isinstance(read_both_ways(written, format)[0], int)
        elif isinstance(written, bytes):
            with without_polars():
                assert read_forest(io.BytesIO(written), graph, format=format).size == result.edges.size


@needs_polars
@given(st.lists(st.floats() | st.floats(-1e-3, 1e-3), min_size=1))
def test_weights_are_written_as_with_polars(w):
    from boruvka.formats.text.lines.writing import _texts

    polars = pytest.importorskip("polars")
    expected = polars.DataFrame({"w": w}).write_csv(include_header=False).splitlines()
    assert [text.lower() for text in _texts(np.array(w))] == [text.lower() for text in expected]


@needs_polars
@given(
    st.lists(
        st.sampled_from(
            [
                "1",
                "+1",
                "-7",
                " 2\t",
                "1_0",
                "١",
                "1.5",
                ".5",
                "1e5",
                "inf",
                "-nan",
                "x",
                "",
                "9" * 19,
                "9" * 30,
            ]
        )
    )
)
def test_columns_of_points_are_converted_as_by_polars(texts):
    polars = pytest.importorskip("polars")
    expected, found = numbers_of(polars.Series(texts, dtype=polars.String)), numbers_of(texts)
    assert (expected is None) == (found is None)
    if found is not None:
        assert found.dtype == expected.dtype
        assert np.array_equal(found, expected, equal_nan=True)


@pytest.mark.parametrize(
    "content",
    [
        b"x,y,name\n1,2.5,a\n3,4,b\n",
        b"1,2\n3,\n",
        b"a,b\nx,y\n",
        b'"1","2"\n',
        b"id,x,y\na,1,2\nb,3,4\n",
        b"u\n",
    ],
)
@pytest.mark.parametrize("reader", [read_points, read_coordinates])
def test_points_of_texts_are_the_same(content, reader, tmp_path):
    (path := tmp_path / "points.csv").write_bytes(content)

    def points():
        return [x.tolist() if isinstance(x, np.ndarray) else x for x in reader(path)]

    found = outcome(points)
    with without_polars():
        assert outcome(points) == found


@given(st.lists(st.text(min_size=1, max_size=2).filter(str.strip), min_size=1, max_size=9))
def test_names_in_lists_are_numbered_the_same(names):
    def graph():
        return edges_of(Graph.from_edges(names, names[::-1], range(len(names))))

    found = graph()
    with without_polars():
        assert graph() == found


def test_large_texts_with_unusual_names_need_the_extra(monkeypatch):
    monkeypatch.setattr(string_columns, "_MOST_BYTES", 10)
    with without_polars():
        assert read(io.BytesIO(b"a,b,1\n"), format="csv").m == 1
        assert read(io.BytesIO(b"0,1,1\n" * 9 + b"a,b,1\n"), format="csv", names=True).m == 10
        with pytest.raises(MissingExtraError, match=r'names .* need it; install .* "boruvka\[tables\]"'):
            read(io.BytesIO(b'"a""c",b,1\n' * 9), format="csv")


def test_parquet_and_streams_of_names_need_the_extra(tmp_path):
    (path := tmp_path / "names.csv").write_text("a,b,1\n")
    graph = Graph(2, [0], [1], [5])
    forest = minimum_spanning_forest(graph, backend="interpreted")
    with without_polars():
        assert stream.minimum_spanning_forest([([0], [1], [5])]).edges.tolist() == [0]
        for call in (
            lambda: write(graph, tmp_path / "a.parquet"),
            lambda: write(graph, tmp_path / "a.arrow"),
            forest.to_polars,
            lambda: stream.minimum_spanning_forest(path),
            lambda: stream.minimum_spanning_forest([(["a"], ["b"], [5])]),
        ):
            with pytest.raises(MissingExtraError, match=r"boruvka\[tables\]"):
                call()
