"""Edge lists, tables and counted lists: delimiters, headers, columns, comments, line ends."""

import numpy as np
import polars as pl
import pytest

from boruvka import Graph
from boruvka.errors import FormatError, OptionError
from boruvka.formats import read


def edges_of(graph):
    return list(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True))


EDGES = [(0, 1, 5), (2, 1, -7)]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", "0 1 5\n2 1 -7\n"),
        ("a.txt", "0 1 5\n2 1 -7"),
        ("a.txt", "0\t1   5 \r\n\r\n\t2 1 -7\r\n"),
        ("a.txt", "# x\n% y\n0 1 5\n  # z\n2 1 -7\n#"),
        ("a.txt", "0,1,5\n2, 1 ,-7\n"),
        ("a.txt", "0;1;5\n2;1;-7\n"),
        ("a.txt", "u v w\n0 1 5\n2 1 -7\n"),
        ("a.EL", "\ufeff0 1 5\n2 1 -7\n"),
        ("a.wel", "\n\n0 1 5\n\n2 1 -7\n\n"),
        ("a.csv", "u,v,w\n0,1,5\n2,1,-7\n"),
        ("a.csv", "\ufeffsource,target,weight\r\n0,1,5\r\n2,1,-7\r\n"),
        ("a.csv", '"src","dst","Cost"\n0,1,5\n2,1,-7\n'),
        ("a.csv", "from;to;w\n0;1;5\n2;1;-7\n"),
        ("a.csv", "weight,to,from\n5,1,0\n-7,1,2\n"),
        ("a.csv", ',u,v,name,w\n0,0,1,x,5\n1,2,1,"a "","" b",-7\n'),
        ("a.csv", "# any comment\n0,1,5\n# another\n2,1,-7\n"),
        ("a.csv", "0 , 1 , 5\n 2,1,-7\n"),
        ("a.tsv", "u\tv\tw\n0\t1\t5\n2\t1\t-7\n"),
        ("a.tab", "note\tu\tv\tw\na b\t0\t1\t5\n\t2\t1\t-7\n"),
        ("a.csv", "x" * 5000 + ",u,v,w\n" + "y" * 5000 + ",0,1,5\n,2,1,-7\n"),
    ],
)
def test_the_same_edges(file, small_chunks, name, content):
    graph = read(file(name, content))
    assert edges_of(graph) == EDGES
    assert graph.n == 3
    assert graph.w.dtype == np.int64


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("0,1,5\n2,1,-7\n", {"columns": (0, 1, 2)}),
        ("5,9,0,1\n-7,9,2,1\n", {"columns": (2, 3, 0)}),
        ("a,b,c\n5,0,1\n-7,2,1\n", {"columns": ("b", "c", "a")}),
        ("a,b,c\n5,0,1\n-7,2,1\n", {"columns": (1, "c", 0)}),
        ("a,b,c\n0,1,5\n2,1,-7\n", {"columns": (0, 1, 2), "header": True}),
        ("1,2,3\n0,1,5\n2,1,-7\n", {"columns": ("1", "2", "3"), "header": True}),
        ("u,v,length,cost\n0,1,9,5\n2,1,9,-7\n", {"columns": ("u", "v", "cost")}),
        ("1,2,5\n3,2,-7\n", {"one_based": True}),
        ("0,1,5\n2,1,-7\n", {"header": False, "n": 3}),
    ],
)
def test_options(file, content, options):
    graph = read(file("a.csv", content), **options)
    assert edges_of(graph) == EDGES
    assert graph.n == 3


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("0,1,5\n", {"columns": ("u", "v", "w")}, "there is no column 'u': the file has no header"),
        (
            "u,v,w\n0,1,5\n",
            {"columns": ("u", "v", "x")},
            "there is no single column 'x'; the columns are u, v, w",
        ),
        ("u,u,w\n0,1,5\n", {"columns": ("u", "u", "w")}, "there is no single column 'u'"),
        ("u,v,w\n0,1,5\n", {"columns": (0, 1, 3)}, "there is no column 3: the file has 3 columns"),
        ("u,v,w\n0,1,5\n", {"columns": (0, 1, -1)}, "there is no column -1"),
        ("u,v,w\n0,1,5\n", {"columns": (0, 1)}, "columns must name u, v and w"),
        ("u,v,w\n0,1,5\n", {"columns": (0, 1, "u")}, "columns must be different"),
    ],
)
def test_columns_that_do_not_exist(file, content, options, message):
    with pytest.raises(OptionError, match=message):
        read(file("a.csv", content), **options)


@pytest.mark.parametrize(
    ("name", "content", "options"),
    [
        ("a.txt", "0 1\n2 1\n", {}),
        ("a.txt", "0 1 5\n2 1 nonsense\n", {}),
        ("a.csv", "u,v\n0,1\n2,1\n", {}),
        ("a.csv", "w,v,u\n9,1,0\n9,1,2\n", {"columns": (2, 1)}),
        ("a.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n1 2\n3 2\n", {}),
        ("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 5\n3 2 6\n", {}),
        ("a.graph", "3 2\n2\n1 3\n2\n", {}),
        ("a.graph", "3 2 011\n7 2 8\n7 1 8 3 9\n7 2 5\n", {}),
        ("a.x", "3 2\n1 2\n3 2\n", {"format": "counted"}),
        ("a.x", "3\n1 2 9\n3 2 9\n", {"format": "counted"}),
    ],
)
def test_unweighted(file, name, content, options):
    graph = read(file(name, content), unweighted=True, **options)
    assert sorted(tuple(sorted(ends)) for ends in zip(graph.u.tolist(), graph.v.tolist(), strict=True)) == [
        (0, 1),
        (1, 2),
    ]
    assert graph.w.tolist() == [1, 1]
    assert graph.w.dtype == np.uint8


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("3 2\n1 2 5\n3 2 -7\n", {}),
        ("3\n2\n1 2 5\n3 2 -7\n", {}),
        ("3\n1 2 5\n3 2 -7\n", {}),
        ("\n# x\n 3 2 \r\n1\t2 5\r\n3 2 -7", {"one_based": True}),
        ("3 2\n0 1 5\n2 1 -7\n", {"one_based": False}),
    ],
)
def test_counted_lists(file, content, options):
    graph = read(file("a.txt", content), format="counted", **options)
    assert edges_of(graph) == EDGES
    assert graph.n == 3


@pytest.mark.parametrize(
    ("content", "n"),
    [("", None), ("# boruvka n=4\n", 4), ("u,v,w\n", 0), ("# boruvka n=4\r\nu,v,w\r\n", 4), ("#\n\n", 0)],
)
def test_no_edges(file, content, n):
    if n is None:
        with pytest.raises(FormatError, match="the file is empty"):
            read(file("a.csv", content))
    else:
        graph = read(file("a.csv", content))
        assert (graph.n, graph.m) == (n, 0)


@pytest.mark.parametrize(("content", "n"), [("0 0", 0), ("0 0\n", 0), ("3 0\n\n\n\n", 3), ("1 0 000\n\n", 1)])
def test_no_edges_have_no_weights_to_miss(file, content, n):
    graph = read(file("a.graph", content))
    assert (graph.n, graph.m) == (n, 0)


def test_the_number_of_vertices(file):
    path = file("a.csv", "# boruvka n=9\nu,v,w\n0,1,5\n# boruvka n=2\n")
    assert read(path).n == 9
    assert read(path, n=20).n == 20
    with pytest.raises(FormatError, match=r":3: expected ids from 0 to 0, found '0,1,5'"):
        read(path, n=1)


def test_ids_beyond_32_bits(file, small_chunks):
    graph = read(file("a.csv", f"0,1,5\n1,2,6\n{2**40},7,8\n2,3,4\n"))
    assert graph.n == 2**40 + 1
    assert edges_of(graph)[2] == (2**40, 7, 8)
    graph = read(file("a.gr", f"p sp {2**48} 1\na {2**48} 1 5\n"))
    assert edges_of(graph) == [(2**48 - 1, 0, 5)]
    graph = read(file("a.csv", f"1,{2**48},5\n"), one_based=True)
    assert edges_of(graph) == [(0, 2**48 - 1, 5)]
    graph = read(file("a.csv", f"0,{2**32 - 1},5\n"))
    assert graph.n == 2**32
    assert graph.v.tolist() == [2**32 - 1]


def test_parquet_columns(tmp_path):
    path = tmp_path / "a.parquet"
    pl.DataFrame({"length": [5.5, 7.5], "to": [2, 2], "from": [1.0, 3.0]}).write_parquet(path)
    assert edges_of(read(path, one_based=True, n=9)) == [(0, 1, 5.5), (2, 1, 7.5)]
    assert edges_of(read(path, columns=("to", 2, "length"))) == [(2, 1, 5.5), (2, 3, 7.5)]
    assert read(path, unweighted=True).w.tolist() == [1, 1]
    pl.DataFrame({"u": [1, 0], "v": [2, 2], "w": [5, 5]}).write_parquet(path)
    with pytest.raises(FormatError, match=r"row 1 has the id 0 in column 'u': expected ids from 1"):
        read(path, one_based=True)


def test_metis_with_sizes_and_weights_of_vertices(file):
    content = "% comment\n4 3 111 2\n1 2 3 2 5 4 -1\n1 2 3 1 5\n% comment\n9 9 9\n0 0 0 1 -1\n\n"
    with pytest.raises(FormatError, match=":2: announces 3 edges, but the lists hold 2"):
        read(file("a.graph", content))
    graph = read(file("a.graph", content.replace("4 3 111", "4 2 111")))
    assert graph.n == 4
    assert edges_of(graph) == [(0, 1, 5), (0, 3, -1)]


def test_steinlib_passes_other_sections_over(file):
    content = (
        '33D32945 STP File, STP Format Version 1.0\r\n\r\nSECTION Comment\r\nName "x"\r\nEND\r\n\r\n'
        "Section graph\r\nnodes 3\r\nArcs 2\r\na 1 2 5\r\nA 3 2 -7\r\nEnd\r\n\r\n"
        "SECTION Coordinates\r\nDD 1 5 2.5\r\nA 1 2 3\r\nEND\r\nEOF\r\n"
    )
    for name in "a.stp", "a.gr":
        assert edges_of(read(file(name, content))) == EDGES


def test_symmetric_matrices_are_not_doubled(file):
    head = "%%MatrixMarket MATRIX Coordinate integer symmetric\n% c\n\n"
    graph = read(file("a.mtx", head + "3 3 4\n2 1 0\n3 1 9007199254740993\n2 1 5\n3 3 1\n"))
    assert edges_of(graph) == [(1, 0, 0), (2, 0, 2**53 + 1), (1, 0, 5), (2, 2, 1)]


def test_dense_matrices(file):
    general = "%%MatrixMarket matrix array real general\n3 3\n9\n1\n2\n3\n9\n0\n0\n4\n9\n"
    assert edges_of(read(file("a.mtx", general))) == [(0, 1, 3), (1, 0, 1), (1, 2, 4), (2, 0, 2)]
    symmetric = "%%MatrixMarket matrix array integer symmetric\n3 3\n9\n1\n2\n9\n0\n9\n"
    graph = read(file("a.mtx", symmetric))
    assert edges_of(graph) == [(1, 0, 1), (2, 0, 2)]
    assert graph.w.dtype == np.int64


def test_adjacency_matrix_is_a_dense_graph(file):
    path = file("a.adj", "# comment\n3\n\n7 5 0\r\n5 7 -2.5\n\t0 -2.5 7")
    dense = Graph.from_dense(np.array([[7, 5, 0], [5, 7, -2.5], [0, -2.5, 7]]))
    assert edges_of(read(path)) == edges_of(dense)
