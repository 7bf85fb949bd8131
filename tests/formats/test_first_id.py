"""Graphs of files that count vertices from 1: arrays count from 0, and files that are written from 1."""

import copy
import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boruvka
from boruvka import Forest, Graph, GraphError, OptionError, stream
from boruvka.errors import FormatError
from boruvka.formats import read, read_forest, read_forest_edges, write
from tests.formats.helpers import WRITTEN, assert_same, canonical, graphs, path_for

FROM_1 = ("dimacs", "matrix-market", "metis", "steinlib")
TABLES = ("csv", "tsv", "edges", "parquet", "arrow")
FROM_0 = ("npy", "matrix")
"""Formats that are arrays, which count from 0 or have no ids."""
quick = settings(max_examples=8)
small_graphs = graphs(weights=(np.int64, st.integers(1, 9)), simple=True)


@st.composite
def one_based(draw):
    """Graphs whose last vertex has an edge, as some formats state no n; not of 3 edges, for npy."""
    graph = draw(small_graphs.filter(lambda graph: graph.m not in (0, 3)))
    return Graph(None, graph.u, graph.v, graph.w).with_first_id(1)


@pytest.mark.parametrize("chosen", WRITTEN, ids=lambda chosen: chosen.name)
@quick
@given(graph=one_based(), isolated=st.integers(0, 2))
def test_the_graph_comes_back(chosen, graph, isolated, tmp_path):
    if chosen.codec.holds.n:
        graph = Graph(graph.n + isolated, graph.u, graph.v, graph.w).with_first_id(1)
    path, how = path_for(tmp_path, chosen.name)
    write(graph, path, **how)
    back = read(path, **how)
    assert (back.n, back.names) == (graph.n, None)
    assert back.first_id == (0 if chosen.name in FROM_0 else 1)
    assert sorted(set(canonical(back))) == canonical(graph)
    write(back, path, **how)
    assert read(path, **how).first_id == back.first_id


@pytest.mark.parametrize("chosen", WRITTEN, ids=lambda chosen: chosen.name)
@quick
@given(graph=one_based(), data=st.data())
def test_forests_come_back(chosen, graph, data, tmp_path):
    edges = sorted(data.draw(st.sets(st.integers(0, graph.m - 1), min_size=1)))
    path, how = path_for(tmp_path, chosen.name)
    if not chosen.codec.holds.n and (len(edges) == 3 or graph.n - 1 not in graph.v[edges]):
        edges = list(range(graph.m))
    forest = Forest(graph, np.array(edges), _is_optimal=False)
    write(forest, path, **how)
    assert sorted(read_forest(path, graph, **how).tolist()) == edges
    if chosen.name in ("csv", "tsv", "parquet", "arrow", "npz"):
        verified = [
            stream.verify(path_, read_forest_edges(path, **how)).message
            for path_ in streamed(graph, tmp_path)
        ]
        assert verified == [boruvka.verify(graph, forest).message] * len(verified)


def streamed(graph, folder):
    """Write a graph to files that can be streamed."""
    paths = [folder / f"streamed.{ending}" for ending in ("gr", "csv", "parquet", "npz", "csv.gz")]
    for path in paths:
        write(graph, path)
    return paths


@quick
@given(graph=one_based())
def test_streams_write_the_same_bytes(graph, tmp_path):
    for source in streamed(graph, tmp_path):
        forests = boruvka.minimum_spanning_forest(read(source)), stream.minimum_spanning_forest(source)
        assert [forest.graph.first_id for forest in forests] == [1, 1]
        assert forests[0].edges.tolist() == forests[1].edges.tolist()
        for format in ("dimacs", "csv", "edges", "parquet", "npz", "gml"):
            written = []
            for forest in forests:
                write(forest, tmp_path / "forest", format=format)
                written.append((tmp_path / "forest").read_bytes())
            assert written[0] == written[1]


@pytest.mark.filterwarnings("ignore:vertex 0 has no edge:boruvka.errors.GraphWarning")
@pytest.mark.parametrize("format", TABLES)
@quick
@given(graph=one_based())
def test_tables_hold_the_ids_of_the_file(format, graph, tmp_path):
    path, ids = tmp_path / "table", [ends + np.int64(1) for ends in (graph.u, graph.v)]
    write(graph, path, format=format)
    if format in ("parquet", "arrow"):
        polars = pytest.importorskip("polars")
        frame = polars.read_parquet(path) if format == "parquet" else polars.read_ipc(path)
        assert [frame["source"].to_list(), frame["target"].to_list()] == [ends.tolist() for ends in ids]
    else:
        separator = {"csv": ",", "tsv": "\t", "edges": " "}[format]
        rows = [line.split(separator) for line in path.read_text().splitlines() if line[0] not in "#s"]
        assert [row[:2] for row in rows] == [[str(u), str(v)] for u, v in zip(*ids, strict=True)]
    if format == "parquet":  # as another program writes it
        polars.DataFrame({"u": ids[0], "v": ids[1], "w": graph.w}).write_parquet(path)
    else:
        write(Graph(None, *ids, graph.w), path, format=format)
    back = read(path, format=format, one_based=True)
    assert_same(back, graph)
    assert back.first_id == 1
    assert read(path, format=format).first_id == 0


@pytest.mark.parametrize("format", [*FROM_1, "matrix-market array"])
def test_formats_that_count_from_1(format, tmp_path):
    path = tmp_path / "graph"
    if format == "matrix-market array":
        path.write_text("%%MatrixMarket matrix array real symmetric\n2 2\n0\n5\n0\n")
        format = "matrix-market"
    else:
        write(Graph(2, [0], [1], [5]), path, format=format)
    graph = read(path, format=format)
    assert (graph.first_id, graph.n, sorted([*graph.u.tolist(), *graph.v.tolist()])) == (1, 2, [0, 1])


def test_the_first_id_survives():
    graph = Graph(3, [0, 1], [1, 2], [5, 7]).with_first_id(1)
    forest = boruvka.minimum_spanning_forest(graph)
    updated = forest.update(([0], [2], [1])).update(removed=[0])
    others = [copy.copy(graph), copy.deepcopy(graph), pickle.loads(pickle.dumps(graph)), updated.graph]
    others += [
        graph.with_names("abc"),
        graph.with_coordinates([[0, 0]] * 3),
        pickle.loads(pickle.dumps(forest)).graph,
    ]
    others.append(Graph.from_mutual_reachability(graph, 1))
    assert [other.first_id for other in others] == [1] * len(others)
    assert Graph(1, [], [], []).first_id == 0
    for wrong in 2, -1, 0.5, None:
        with pytest.raises(OptionError, match="first_id must be an integer from 0 to 1"):
            graph.with_first_id(wrong)


def test_ids_of_vertices():
    graph = Graph(2**32, [], [], []).with_first_id(1)
    assert graph.id_of(np.array([0, 2**32 - 1], np.uint32)).tolist() == [1, 2**32]
    assert (graph.id_of(4), graph.with_first_id(0).id_of(4)) == (5, 4)
    named = Graph(2, [], [], []).with_names(["x", "y"]).with_first_id(1)
    assert named.id_of(slice(None)).tolist() == ["x", "y"]
    assert Graph(2, [], [], []).with_first_id(1).id_of(slice(None)).tolist() == [1, 2]


def test_arguments_and_messages_of_python_count_from_0():
    graph = Graph(3, [0, 1], [1, 2], [-5, 7]).with_first_id(1)
    forest = boruvka.minimum_spanning_forest(graph)
    assert forest.bottleneck(0, 2).edges == 1
    assert forest.to_newick() == "((0:-5)1:7)2;\n"
    with pytest.raises(GraphError, match=r"edge 0 \(0, 1\) has the weight -5"):
        boruvka.steiner_tree(graph, [0])


def test_files_that_do_not_say_where_ids_begin(tmp_path):
    graph, path = Graph(3, [0, 1], [1, 2], [5, 7]).with_first_id(1), tmp_path / "forest.csv"
    for content in (
        "source,target,weight\n2,3,7\n",
        "edge,source,target,weight\n1,2,3,7\n",
        "edge,source,target,weight\n1,1,2,7\n0,0,1,5\n",
    ):
        path.write_text(content)
        assert sorted(read_forest(path, graph).tolist())[-1] == 1
    path.write_text("u,v,w\n0,1,5\n")
    with pytest.raises(GraphError, match=r"row 1 .*: 0 is not an id: ids of the graph begin at 1"):
        read_forest(path, graph)
    path.write_text("# boruvka first_id=0\nu,v,w\n0,1,5\n")
    assert read_forest(path, graph).tolist() == [0]
    assert read(path, one_based=False).first_id == 0
    path.write_text("# boruvka first_id=1\nu,v,w\n0,1,5\n")
    with pytest.raises(FormatError, match="ids from 1"):
        read(path)
    assert read(path, one_based=False).n == 2


def test_tables_with_gaps(tmp_path):
    path = tmp_path / "graph.csv"
    path.write_text("# boruvka n=4\n# boruvka first_id=1\nu,v,w\n1,2,5\n2,3,\n3,4,7\n")
    graph = read(path, default=9)
    assert (graph.n, graph.first_id, graph.u.tolist(), graph.w.tolist()) == (4, 1, [0, 1, 2], [5, 9, 7])
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"u": [1, None, 3], "v": [2, 3, 5], "w": [5, 6, 7]})
    frame.write_parquet(tmp_path / "graph.parquet")
    with pytest.warns(boruvka.errors.GraphWarning, match="1 of 3 rows"):
        graph = read(tmp_path / "graph.parquet", one_based=True, missing="drop")
    assert (graph.n, graph.first_id, graph.v.tolist()) == (5, 1, [1, 4])
    with pytest.raises(FormatError, match="row 2 has the id 5 in column 'v': expected ids from 1 to 4"):
        read(tmp_path / "graph.parquet", one_based=True, missing="drop", n=4)


def test_npz_with_another_first_id(tmp_path):
    columns = {"n": 2, "u": [0], "v": [1], "w": [5]}
    for wrong in 2, -1, 0.5, [1]:
        np.savez(tmp_path / "graph.npz", **columns, first_id=wrong)
        with pytest.raises(FormatError, match="expected 0 or 1 as first_id"):
            read(tmp_path / "graph.npz")


def test_nodes_of_other_programs_stay_names(tmp_path):
    path = tmp_path / "graph.gml"
    path.write_text("graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 weight 5 ] ]")
    assert read(path).names.tolist() == [1, 2]
    graph = Graph(2, [0], [1], [5]).with_first_id(1)
    assert read_forest(path, graph).tolist() == [0]


TERMINALS = "SECTION Terminals\nTerminals 2\nT 1\nT 3\nEND\n"
EDGES = "SECTION Graph\nNodes 3\nEdges 2\nE 1 2 5\nE 2 3 7\nEND\n"


def test_terminals_of_steinlib(tmp_path):
    path = tmp_path / "graph.stp"
    for content in (
        EDGES + TERMINALS + "EOF\n",
        TERMINALS + EDGES,
        EDGES + "section TERMINALS\nt 3\nRoot 3\nT 1\nend\n",
    ):
        path.write_text(content)
        graph = read(path)
        assert sorted(graph.terminals.tolist()) == [0, 2]
        assert boruvka.steiner_tree(graph, graph.terminals).weight == 12
        write(graph.with_first_id(1), path)
        assert read(path).terminals.tolist() == graph.terminals.tolist()
    path.write_text(EDGES)
    assert (read(path).terminals, read(path).prizes) == (None, None)
    for wrong, message in (
        (TERMINALS.replace("T 3", "T 4"), ":10: expected 'T v' with v from 1 to 3"),
        (TERMINALS.replace("T 3", "T x"), ":10: expected 'T v' with v from 1 to 3"),
        (TERMINALS.replace("T 3", "T 3 1"), ":10: expected 'T v'"),
        (TERMINALS.replace("T 3\n", ""), ":8: announces 2 terminals, but the section holds 1"),
    ):
        path.write_text(EDGES + wrong)
        with pytest.raises(FormatError, match=message):
            read(path)
