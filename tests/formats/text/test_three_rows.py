"""Three rows of three numbers may be edges or a matrix: readers ask, unless something says which."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import Graph, OptionError, minimum_spanning_forest, read, write
from boruvka.formats import read_chunk
from boruvka.formats.edge_file import FileChunk
from boruvka.stream import minimum_spanning_forest as stream_forest
from tests.formats.helpers import edges_of

TEXTS = [
    ("a.csv", "0,3,9\n3,0,1\n9,1,0\n"),
    ("a.csv", "0;3;9\n3;0;1\n9;1;0"),
    ("a.csv", "\ufeff# comment\n\n0, 3, 9\r\n3, 0, 1\r\n9, 1, 0\r\n"),
    ("a.csv", '"0","3","9"\n"3","0","1"\n"9","1","0"\n'),
    ("a.csv.gz", "0,0.5,1\n.5,0,1e1\n1,10,0\n"),
    ("a.tsv", "0\t3\t9\n3\t0\t1\n9\t1\t0\n"),
    ("a.txt", "0 3 9\n3 0 1\n9 1 0\n"),
    ("a.txt", "  0   3 9\n3 0 1\n9 1 0  "),
    ("a.txt", "0\t3\t9\n3\t0\t1\n9\t1\t0\n"),
    ("a.txt", "nan 3 9\n3 nan 1\n9 1 nan\n"),
]
SAYS = "three edges u, v, weight, or a matrix of weights"


@pytest.mark.parametrize(("name", "content"), TEXTS)
def test_every_entrance_asks(file, name, content):
    path = file(name, content)
    for load in (
        read,
        lambda path: minimum_spanning_forest(read(path)),
        lambda path: read_chunk(path, FileChunk(0, 1)),
        stream_forest,
    ):
        with pytest.raises(
            OptionError, match=rf"{SAYS}; pass columns=\(0, 1, 2\) for edges, format='matrix'"
        ):
            load(path)


def test_both_answers_are_taken(file):
    path = file(*TEXTS[0])
    edges, matrix = read(path, columns=(0, 1, 2)), read(path, format="matrix")
    assert edges_of(edges) == [(0, 3, 9), (3, 0, 1), (9, 1, 0)]
    assert edges_of(matrix) == edges_of(Graph.from_distances([3, 9, 1]))
    for options in {"format": "csv"}, {"n": 10}, {"header": False}, {"one_based": False}:
        assert edges_of(read(path, **options)) == edges_of(edges)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.csv", "u,v,w\n0,3,9\n3,0,1\n9,1,0\n"),
        ("a.csv", "# boruvka n=10\n0,3,9\n3,0,1\n9,1,0\n"),
        ("a.csv", "0,3,9\n3,0,1\n9,1,0\n1,2,3\n"),
        ("a.csv", "0,3,9\n3,0,1\n"),
        ("a.el", "0 3 9\n3 0 1\n9 1 0\n"),
        ("a.wel", "0 3 9\n3 0 1\n9 1 0\n"),
        ("a.txt", "a 3 9\n3 b 1\n9 1 0\n"),
    ],
)
def test_other_texts_are_edges(file, name, content):
    assert read(file(name, content)).m in (2, 3, 4)


@pytest.mark.filterwarnings("ignore:vertex 0 has no edge")
@given(
    st.lists(st.tuples(*[st.integers(0, 3)] * 2, st.integers(-2, 2)), min_size=1, max_size=4),
    st.booleans(),
    st.sampled_from(["a.txt", "a.csv", "a.tsv", "a.el"]),
)
def test_what_was_written_is_read(tmp_path_factory, edges, has_names, name):
    """Whatever the number of edges; names may look like numbers."""
    u, v, w = zip(*edges, strict=True)
    graph = Graph.from_edges(*([str(x / 2) for x in ends] if has_names else ends for ends in (u, v)), w)
    path = tmp_path_factory.getbasetemp() / name
    write(graph, path)
    found = read(path)
    assert (found.n, edges_of(found)) == (graph.n, edges_of(graph))
    assert (found.names is None) == (graph.names is None)
