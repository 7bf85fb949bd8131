import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

import boruvka
import boruvka.stream
from boruvka.distributed.forest_part import ForestPart
from boruvka.graph.graph import Graph
from boruvka.runtime.html import LONGEST, fields_table, text
from boruvka.runtime.round_log import Round

HOSTILE = "<script>alert('x')</script> & \"y\""


def fields_of(shown):
    """Parse a table, which must be well-formed: its caption and its rows as text."""
    table = ElementTree.fromstring(shown)
    assert table.tag == "table"
    rows = {row[0].text: "".join(row[1].itertext()) for row in table.find("tbody")}
    assert all(row[0].attrib["scope"] == "row" for row in table.find("tbody"))
    return table.find("caption/strong").text, rows


def test_everything_is_escaped():
    escaped = "&lt;script&gt;alert(&#x27;x&#x27;)&lt;/script&gt; &amp; &quot;y&quot;"
    assert text(HOSTILE) == escaped
    assert fields_of(fields_table(HOSTILE, [(HOSTILE, text(HOSTILE))])) == (HOSTILE, {HOSTILE: HOSTILE})
    assert len(text("a" * 1000)) == LONGEST


def test_graphs():
    named = Graph.from_edges(["a", HOSTILE, "c"], [HOSTILE, "c", "d"], [1.5, 2, 3])
    title, rows = fields_of(named._repr_html_())
    assert title == "Graph"
    assert rows == {"vertices": "4", "edges": "3", "weights": "float64", "names": f"a, {HOSTILE}, c, …"}
    points = Graph.from_points(np.zeros((2000, 2)))
    title, rows = fields_of(points._repr_html_())
    assert (title, rows["edges"]) == ("DistanceGraph", "1,999,000")
    assert "_edge_list" not in vars(points)  # nothing was computed
    assert "vertices" in fields_of(Graph.from_edges([], [], [], n=0)._repr_html_())[1]


def test_names_of_streamed_edges_stay_in_their_file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("u,v,w\nBrno,Praha,205\nBrno,Zlín,97\n", encoding="utf-8")
    graph = boruvka.stream.minimum_spanning_forest(path).graph
    assert fields_of(graph._repr_html_())[1]["names"] == "Brno, Praha, Zlín"
    assert repr(graph).endswith("names=['Brno', 'Praha', ...])")
    assert "names" not in vars(graph)


def test_forests():
    graph = ([0, 1, 2, 0, 3], [1, 2, 3, 3, 4], [5, 2, 7, 9, 1])
    forest = boruvka.minimum_spanning_forest(graph, algorithm="boruvka", backend="interpreted")
    title, rows = fields_of(forest._repr_html_())
    assert title == "Minimum spanning forest"
    assert (rows["edges"], rows["weight"]) == ("4 of 5", "15")
    assert rows["solver"].startswith("boruvka on interpreted, ")
    assert rows["rounds"] == str(len(forest.rounds)) == "2"
    assert rows["edges by round"] == "5, 2"
    once = boruvka.minimum_spanning_forest(graph, algorithm="kruskal", maximum=True, backend="interpreted")
    title, rows = fields_of(once._repr_html_())
    assert title == "Maximum spanning forest"
    assert "rounds" not in rows


def test_a_part_of_a_forest():
    graph = Graph(4, [0, 1], [1, 2], [5, 7])
    rounds = (Round("all", 4, 9, {}, [], {}), Round("all", 2, 3, {}, [], {}))
    part = ForestPart(4, 9, 3, np.array([0]), np.array([0]), 12, graph, np.array([0]), rounds=rounds, ranks=2)
    _, rows = fields_of(part._repr_html_())
    assert (rows["edges here"], rows["edges of all ranks"], rows["weight"]) == ("1", "3 of 9", "12")
    assert rows["edges by round"] == "9, 3"


@pytest.mark.parametrize(("edges", "result"), [([1, 0], "✓ right"), ([0, 0], "✗ wrong")])
def test_verifications(edges, result):
    graph = Graph.from_edges(["<a>", "b"], ["b", "c"], [1, 2])
    verification = boruvka.verify(graph, edges)
    _, rows = fields_of(verification._repr_html_())
    assert (rows["result"], rows["message"]) == (result, verification.message)
