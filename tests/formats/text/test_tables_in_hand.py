"""Tables and lists as people have them: names of columns in comments, KONECT, NetworkX, two columns."""

import io

import networkx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import boruvka.stream
from boruvka import FormatError, GraphWarning, OptionError, read
from boruvka.formats import FileChunk, read_chunk
from boruvka.formats.points import read_coordinates, read_points
from tests.formats.helpers import edges_of

KONECT = (
    "% sym posweighted\n% 4 4 4\n1 2\t3 1082040961\n2 3\t1 1082155839\n1 3\t2 1082414391\n3 4\t7 1082414391\n"
)


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.txt"])
def test_two_columns_with_a_header(file, name):
    path = file(name, "id_1,id_2\n0,1\n1,2\n2,0\n2,3\n")
    assert edges_of(read(path, unweighted=True)) == [(0, 1, 1), (1, 2, 1), (2, 0, 1), (2, 3, 1)]
    with pytest.raises(FormatError, match="pass unweighted=True"):
        read(path)


def test_two_columns_of_names(file):
    path = file("a.csv", "p,q\na,b\n")
    with pytest.raises(FormatError, match="pass unweighted=True, header=False"):
        read(path, unweighted=True)  # or is it an edge
    assert read(path, unweighted=True, header=True).m == 1
    assert read(path, unweighted=True, header=False).m == 2
    for header in "target,source", "id_2,id_1":
        assert list(read(file("a.csv", f"{header}\na,b\n"), unweighted=True).names) == ["b", "a"]


@pytest.mark.parametrize("times", [True, False])
def test_konect(file, times):
    content = KONECT if times else "".join(line.rsplit(" ", 1)[0] + "\n" for line in KONECT.splitlines())
    content = content if times else content.replace("% sym\n% 4 4\n", "% sym posweighted\n% 4 4 4\n")
    graph = read(file("out.b", content), format="edges")
    assert edges_of(graph) == [(0, 1, 3), (1, 2, 1), (0, 2, 2), (2, 3, 7)]
    assert graph.n == 4
    assert graph.first_id == 1
    chunks = [read_chunk(file("out.b", content), FileChunk(k, 2), format="edges") for k in range(2)]
    assert np.concatenate([chunk.w for chunk in chunks]).tolist() == [3, 1, 2, 7]


def test_konect_without_weights(file):
    path = file("out.a", "% asym unweighted\n1 2\n2 3\n")
    assert edges_of(read(path, format="edges", unweighted=True)) == [(0, 1, 1), (1, 2, 1)]
    with pytest.raises(FormatError, match="no column of weights"):
        read(path, format="edges")
    assert read(file("out.a", KONECT), format="edges", columns=(0, 1, 3)).w[0] == 1082040961
    with pytest.raises(FormatError, match="bipartite"):
        read(file("out.a", "% bip unweighted\n1 1\n"), format="edges", unweighted=True)


@pytest.mark.parametrize("mark", ["#", "# ", "%", "% "])
@pytest.mark.parametrize(("name", "separator"), [("a.txt", " "), ("a.csv", ","), ("a.tsv", "\t")])
def test_names_of_columns_in_a_comment(file, mark, name, separator):
    def write(*rows):
        return file(name, mark + "".join(separator.join(row.split()) + "\n" for row in rows))

    assert edges_of(read(write("time weight from to", "9 5 0 1", "8 6 1 2"))) == [(0, 1, 5), (1, 2, 6)]
    assert edges_of(read(write("a b c d", "9 5 0 1", "8 6 1 2"), columns=("c", "d", "b"))) == [
        (0, 1, 5),
        (1, 2, 6),
    ]
    assert edges_of(read(write("made by me", "0 1 5", "1 2 6"))) == [(0, 1, 5), (1, 2, 6)]
    with pytest.raises(OptionError, match="names none"):
        read(write("made by me", "0 1 5"), columns=("from", "to", "weight"))
    points = read_points(write("id x y", "7 1.5 2", "8 3 4"), columns=("x", "y"))
    assert points.coordinates.tolist() == [[1.5, 2], [3, 4]]
    assert read_coordinates(write("id x y", "7 1.5 2", "8 3 4")).vertices.tolist() == [7, 8]


ATTRIBUTES = """# written by networkx
a b {'weight': 3.0, 'kind': 'a, b'}

b c {'weight': 1, 'cost': 5}
a c {'cost': 2.5}
"""


def test_attributes_in_braces(file):
    path = file("a.edgelist", ATTRIBUTES)
    with pytest.warns(GraphWarning, match="1 of 3 rows"):
        assert edges_of(read(path, missing="drop")) == [(0, 1, 3), (1, 2, 1)]
    assert edges_of(read(path, default=9)) == [(0, 1, 3), (1, 2, 1), (0, 2, 9)]
    assert read(path, columns=("cost",), default=0).w.tolist() == [0, 5, 2.5]
    assert read(path, unweighted=True).w.tolist() == [1, 1, 1]
    with pytest.raises(FormatError, match=r":5: the edge has no attribute 'weight'; .* there are 'cost'"):
        read(path)
    with pytest.raises(FormatError, match=r"no attribute 'weight'; .*; pass unweighted=True for weight 1"):
        read(file("b.edgelist", "a b {'kind': 'x', 'is_new': True}\n"))
    for name in "a.edgelist.gz", "a.edgelist":
        with pytest.raises(
            FormatError, match="attributes in braces are not streamed; convert the file first"
        ):
            boruvka.stream.minimum_spanning_forest(file(name, ATTRIBUTES))


@pytest.mark.parametrize("at_once", [1, 30, 1000])
def test_attributes_are_rewritten_in_ranges(file, monkeypatch, at_once):
    monkeypatch.setattr("boruvka.formats.text.networkx_edges._AT_ONCE", at_once)
    attributes = [
        "{'weight': %d}",
        "{'weight': -%d.5e-2} ",
        "{'a': 1, 'weight': %d}",
        "{'weight': np.int64(%d)}\r",
    ]
    lines = [f"a b {attributes[i % 4] % i}" for i in range(1, 40)]
    weights = [-(i + 0.5) / 100 if i % 4 == 1 else i for i in range(1, 40)]
    assert read(file("a.edgelist", "\n".join(lines))).w.tolist() == weights
    with pytest.raises(FormatError, match=":40: the edge has no attribute"):
        read(file("a.edgelist", "\n".join([*lines, "a b {'length': 3}"])))


@pytest.mark.parametrize(
    "attributes",
    ["{'weight': open('x')}", "{'weight': nan}", "{" * 999 + "}", "{1, 2}", "{'weight'}", "{'weight': 01}"],
)
def test_attributes_are_never_evaluated(file, attributes):
    with pytest.raises(FormatError, match=r":2: (cannot read the attributes|the edge has no attribute)"):
        read(file("a.edgelist", f"a b {{'weight': 1}}\na b {attributes}\n"))


@given(
    st.dictionaries(st.tuples(st.sampled_from("abc"), st.sampled_from("xyz")), st.floats(-9, 9), min_size=1)
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@pytest.mark.parametrize("delimiter", [" ", ",", "\t"])
@pytest.mark.parametrize("number", [float, np.float64])
def test_edge_lists_of_networkx(file, delimiter, number, weights):
    graph = networkx.Graph([(u, v, {"weight": number(w), "note": "a b"}) for (u, v), w in weights.items()])
    written = io.BytesIO()
    networkx.write_edgelist(graph, written, delimiter=delimiter)
    found = read(file("a.edgelist", written.getvalue()))
    assert {frozenset((found.names[u], found.names[v])): w for u, v, w in edges_of(found)} == {
        frozenset((u, v)): w for u, v, w in graph.edges(data="weight")
    }
