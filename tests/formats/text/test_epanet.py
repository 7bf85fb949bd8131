"""EPANET: pipes are edges."""

from contextlib import nullcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boruvka
from boruvka.errors import GraphWarning
from boruvka.formats import read
from tests.formats.helpers import assert_malformed, edges_of

NETWORK = """[TITLE]
small 1 2 3

[JUNCTIONS]
;ID  Elev
 J1\t7 0 ;
 12  7 1 ; a comment
 J3  5 1
 J4  5 1

[RESERVOIRS]
 R1 9 ;

[TANKS]
 T1 1 2 3 4 5 0

[PIPES]
;ID Node1 Node2 Length Diameter
 P1 R1 J1 100 12 100 0 Open ;
 P2 J1 12 530.5 12 100 0 Open
 P3 12 J3 200 8 100 0 Open

[PUMPS]
 U1 J3 T1 HEAD 1

[VALVES]
 V1 J3 J4 12 PRV 120 0

[COORDINATES]
 J1 1.5 2
 R1 0 -3
[END]
"""


def test_a_network(tmp_path):
    path = tmp_path / "net.inp"
    path.write_text(NETWORK)
    with pytest.warns(GraphWarning, match="pumps and valves have no length, and 2 of them are left out"):
        graph = read(path)
    assert graph.names.tolist() == ["J1", "12", "J3", "J4", "R1", "T1"]
    assert edges_of(graph) == [(4, 0, 100), (0, 1, 530.5), (1, 2, 200)]
    np.testing.assert_array_equal(graph.coordinates[[0, 4, 1]], [[1.5, 2], [0, -3], [np.nan, np.nan]])
    forest = boruvka.minimum_spanning_forest(graph)
    assert forest.n_components == 3
    assert forest.to_pandas(["pipe", "diameter"])["pipe"].tolist() == ["P1", "P2", "P3"]
    assert boruvka.minimum_spanning_forest(graph, excluded={"diameter": 8}).edges.tolist() == [0, 1]


@pytest.mark.parametrize(
    ("first", "status", "kept"),
    [
        ("Closed", "", [1, 2]),
        ("CLOSED ;", "[STATUS]\n P3 Closed\n", [1]),
        ("Closed", " [STATUS]\nP1 Open", None),
    ],
)
def test_closed_pipes_are_no_connection(tmp_path, first, status, kept):
    path = tmp_path / "net.inp"
    path.write_text(f"[PIPES]\nP1 A B 5 9 9 0 {first}\nP2 B C 5\nP3 A C 9\n{status}\n")
    with nullcontext() if kept is None else pytest.warns(GraphWarning, match=r"closed .* of 3: \['P1'"):
        graph = read(path)
    pairs = [(0, 1, 5), (1, 2, 5), (0, 2, 9)]
    assert edges_of(graph) == (pairs if kept is None else [pairs[k] for k in kept])
    assert graph.names.tolist() == ["A", "B", "C"]


def test_ids_that_are_all_numbers_are_numbers(tmp_path):
    path = tmp_path / "net.inp"
    path.write_text("[PIPES]\n1 10 20 5\n2 20 30 7\n")
    graph = read(path)
    assert (graph.names.tolist(), graph.w.tolist(), graph.coordinates) == ([10, 20, 30], [5, 7], None)


@settings(max_examples=30)
@given(
    st.lists(
        st.tuples(
            *[st.sampled_from(["a", "B", "7", "n-1"])] * 2, st.one_of(st.integers(0, 9), st.just(0.25))
        ),
        min_size=1,
    )
)
def test_pipes_come_back(tmp_path, pipes):
    path = tmp_path / "net.inp"
    lines = [f"\tp{i} {u}  {v} {w} 100 0 ;" for i, (u, v, w) in enumerate(pipes)]
    path.write_text("\r\n".join(["[JUNCTIONS]", "x 1", "[PIPES]", ";x", *lines, "", "[END]"]))
    graph = read(path)
    names = graph.names.tolist()
    assert [(names[u], names[v], w) for u, v, w in edges_of(graph)] == pipes
    assert names[0] == "x"


def test_windows_1252(tmp_path):
    path = tmp_path / "a.inp"
    path.write_text("[PIPES]\n1 Köln Ulm 5\n", encoding="cp1252")
    with pytest.warns(GraphWarning, match="is read as Windows-1252"):
        assert read(path).names.tolist() == ["Köln", "Ulm"]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("[PIPES]\n1 a b\n", 2, "expected 'pipe node1 node2 length', found '1 a b'"),
        ("[PIPES]\n1 a b x\n", 2, "expected 'pipe node1 node2 length', found '1 a b x'"),
        ("[PIPES]\n1 a b 2\n[COORDINATES]\na 1\n", 4, "expected 'node x y', found 'a 1'"),
        ("[PIPES]\n;\n", 2, "expected a section [PIPES], found the end of the file"),
        ("[RAINGAGES]\n1 2 3\n", 2, "expected a section [PIPES]"),
    ],
)
def test_malformed_files(file, content, line, message):
    assert_malformed(file("a.inp", content), line, message)
