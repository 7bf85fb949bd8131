"""GraphML, GEXF, GML and Pajek as programs write them: python-igraph and NetworkX here, others as texts."""

from contextlib import nullcontext

import igraph
import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import GraphWarning
from boruvka.formats import read
from tests.formats.helpers import assert_malformed
from tests.formats.libraries.test_networkx_files import named_edges
from tests.oracles import kruskal

TEXTS = ["São Paulo", "a b", 'q"q', "Köln & <Bonn>", "日本", "7", "it's", "#1", "x;y", "-1", "é"]


def in_encoding(is_utf_8):
    """Expect a warning for a text in another encoding."""
    return nullcontext() if is_utf_8 else pytest.warns(GraphWarning, match="read as Windows-1252")


@st.composite
def labelled_graphs(draw):
    """Names, which no program would change, and edges between them with weights, some of them parallel."""
    texts = st.sampled_from(TEXTS) | st.text("ab é#&'", min_size=1, max_size=3)
    names = draw(
        st.lists(texts.filter(lambda text: text == text.strip()), min_size=2, max_size=6, unique=True)
    )
    vertex = st.integers(0, len(names) - 1)
    weight = st.sampled_from([1.5, 2.0, 1e-05, 3.25e20, -4.0, 1e300])
    return names, draw(st.lists(st.tuples(vertex, vertex, weight), min_size=1, max_size=9))


def sorted_edges(names, edges):
    return sorted((*sorted((names[u], names[v])), w) for u, v, w in edges)


def check(path, names, edges, **options):
    graph = read(path, **options)
    found = list(map(str, range(graph.n) if graph.names is None else graph.names))
    assert sorted(found) == sorted(names)
    assert sorted((*sorted(map(str, e[:2])), e[2]) for e in named_edges(graph)) == sorted_edges(names, edges)


@pytest.mark.parametrize("ending", ["graphml", "gml", "pajek"])
@pytest.mark.parametrize("directed", [False, True])
@given(graph=labelled_graphs())
def test_we_read_what_igraph_writes(ending, directed, graph, tmp_path):
    names, edges = graph
    g = igraph.Graph(len(names), [e[:2] for e in edges], directed=directed)
    g.vs["name"], g.es["weight"] = names, [w for *_, w in edges]
    path = tmp_path / {"pajek": "a.net"}.get(ending, f"a.{ending}")
    getattr(g, f"write_{ending}")(str(path))
    check(path, names, edges)


@pytest.mark.parametrize("ending", ["graphml", "gml", "gexf", "pajek"])
@pytest.mark.parametrize("kind", [nx.MultiGraph, nx.MultiDiGraph])
@given(graph=labelled_graphs())
def test_we_read_what_networkx_writes(ending, kind, graph, tmp_path):
    names, edges = graph
    if ending == "pajek":  # NetworkX quotes names with blanks only
        names = [name.replace('"', "'") for name in names]
        names = names if len(set(names)) == len(names) else [f"{name}{i}" for i, name in enumerate(names)]
    g = kind()
    g.add_nodes_from(names)
    g.add_weighted_edges_from((names[u], names[v], w) for u, v, w in edges)
    path = tmp_path / {"pajek": "a.net"}.get(ending, f"a.{ending}")
    getattr(nx, f"write_{ending}")(g, path)
    check(path, names, edges)


@pytest.mark.parametrize("ending", ["graphml", "gml", "gexf"])
def test_names_that_are_attributes_of_nodes(ending, tmp_path):
    g = nx.Graph()
    for i, name in enumerate(["Depot", "Shop", "Home"]):
        g.add_node(f"n{i}", **({"label": name} if ending == "gexf" else {"name": name}))
    g.add_weighted_edges_from([("n0", "n1", 7), ("n1", "n2", 2), ("n0", "n2", 5)])
    path = tmp_path / f"a.{ending}"
    if ending == "gml":  # it writes nodes as labels
        text = "\n".join(nx.generate_gml(g)).replace('label "n', 'id_of_old "n')
        path.write_text(text)
    else:
        getattr(nx, f"write_{ending}")(g, path)
    graph = read(path)
    assert graph.names.tolist() == ["Depot", "Shop", "Home"]
    assert boruvka.minimum_spanning_forest(graph).weight == 7


GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:y="http://www.yworks.com/xml/graphml">
{keys}<graph edgedefault="{default}" id="G">{nodes}{edges}</graph></graphml>"""
WEIGHT = '<key id="w" for="edge" attr.name="weight" attr.type="{}"/>'
OF_DOUBLE = WEIGHT.format("double")
NODES = '<node id="a"/><node id="b"/>'


def graphml(edges, keys=OF_DOUBLE, nodes=NODES, default="undirected"):
    return GRAPHML.format(keys=keys, nodes=nodes, edges=edges, default=default)


def edge(text, more="", key="w"):
    return f'<edge source="a" target="b" {more}><data key="{key}">{text}</data></edge>'


@pytest.mark.parametrize(
    ("text", "weights"),
    [
        (graphml(edge(5) + edge(2)), [5, 2]),
        (graphml(edge(5, 'id="e"') + edge(2, 'id="e"')), [5, 2]),
        (graphml(edge(5, key="weight"), keys=""), [5]),
        (graphml(edge("0x1.8p+1"), WEIGHT.format("double")), [3]),  # as graph-tool writes
        (graphml(edge("3"), WEIGHT.format("short")), [3]),
        (graphml(edge("3"), WEIGHT.format("vector_double")), [3]),
        (graphml(edge(3, 'directed="true"') + edge(4)), [3, 4]),
        (graphml(edge(3, 'directed="false"') + edge(4), default="directed"), [3, 3, 4]),
        (graphml(edge(9007199254740993)), [9007199254740993]),
        (graphml(edge(2)).replace(' xmlns="http://graphml.graphdrawing.org/xmlns"', ""), [2]),
        (graphml(edge(2)).replace('/xmlns"', '/xmlns/graphml"'), [2]),
        (graphml(edge(2)).replace("<y:", "<z:").replace("</graph>", "<z:x/></graph>"), [2]),
        (graphml(edge(2) + edge("").replace("<data key=\"w\"></data>", "")), None),
        (graphml('<edge source="a" target="b"><data key="d"><y:PolyLineEdge><y:EdgeLabel>4</y:EdgeLabel>'
                 "</y:PolyLineEdge></data></edge>"), None),
    ],
)  # fmt: skip
def test_graphml_of_other_programs(file, text, weights):
    path = file("a.graphml", text)
    if weights is None:
        with pytest.raises(boruvka.errors.FormatError):
            read(path)
    else:
        assert read(path).w.tolist() == weights


def test_the_id_of_a_node_is_its_own(file):
    assert_malformed(
        file("a.graphml", graphml(edge(5), nodes=NODES + NODES)), None, "node 2 has the id of another"
    )
    assert_malformed(file("a.graphml", graphml(edge(5), nodes="<node/>")), None, "node 0 has no id")
    for text in "b", "deadbeef", "1_0", "1,5":
        assert_malformed(file("a.graphml", graphml(edge(text))), None, f"the weight of edge 0 is '{text}'")
    assert_malformed(file("a.graphml", graphml(edge("1e999"))), None, "1e999 is beyond the range of float64")


def test_the_labels_of_yed_are_names(file):
    node = (
        '<node id="n{0}"><data key="d6"><y:ShapeNode><y:Geometry height="30" width="30" x="{0}.5" y="2"/>'
        "<y:Fill/><y:NodeLabel>{1}<y:LabelModel/></y:NodeLabel></y:ShapeNode></data></node>"
    )
    keys = '<key for="node" id="d6" yfiles.type="nodegraphics"/><key for="edge" id="d9" yfiles.type="e"/>'
    group = f'<node id="g" yfiles.foldertype="group"><graph id="g:">{node.format(2, "Cy")}</graph></node>'
    line = '<edge source="n{}" target="n{}"><data key="d9"><y:L><y:EdgeLabel>{}</y:EdgeLabel></y:L></data>'
    line += "</edge>"
    nodes = node.format(0, "Ann ") + node.format(1, "Bob")
    edges = line.format(0, 1, 4) + line.format(1, 2, 2.5)
    path = file("a.graphml", graphml(edges.replace("n2", "n1"), keys, nodes))
    assert_malformed(path, None, "cannot tell the weight among the attributes of edges (label)")
    graph = read(path, columns=("label",))
    assert named_edges(graph) == [("Ann", "Bob", 4), ("Bob", "Bob", 2.5)]
    assert graph.coordinates.tolist() == [[0.5, 2], [1.5, 2]]
    path = file("b.graphml", graphml(edges, keys, nodes + group))  # a group has no label
    assert read(path, columns=("label",)).names.tolist() == ["n0", "n1", "g", "n2"]


GEXF = """<?xml version='1.0' encoding='UTF-8'?>
<gexf {space} version="1.3"><meta lastmodifieddate="2019-01-01"><creator>Gephi 0.9</creator></meta>
<graph defaultedgetype="{default}" mode="static">{attributes}<nodes><node id="0" label="Ann">
<viz:size value="10.0"/><viz:color hex="#FF7700"/></node><node id="1" label="Bob"><attvalues>
<attvalue for="Modularity" value="1"/></attvalues></node></nodes><edges>{edges}</edges></graph></gexf>"""
SPACES = ["1.1draft", "1.2draft", "1.3draft", "1.3"]


def gexf(edges, space='xmlns="http://www.gexf.net/1.3"', attributes="", default="undirected"):
    return GEXF.format(edges=edges, space=space, attributes=attributes, default=default)


@pytest.mark.parametrize("host", ["http://www.gexf.net/", "http://gexf.net/"])
@pytest.mark.parametrize("version", SPACES)
@pytest.mark.parametrize("is_viz_declared", [True, False])
def test_name_spaces_of_gephi(file, host, version, is_viz_declared):
    viz = f' xmlns:viz="{host}{version}/viz"' if is_viz_declared else ""
    edges = (
        '<edge id="0" source="0" target="1" weight="4.0"/><edge id="1" source="1" target="0" weight="2.5"/>'
    )
    graph = read(file("a.gexf", gexf(edges, f'xmlns="{host}{version}"{viz}')))
    assert named_edges(graph) == [("Ann", "Bob", 4), ("Ann", "Bob", 2.5)]
    assert graph.coordinates is None


@pytest.mark.parametrize(
    ("edges", "default", "weights"),
    [
        ('<edge source="0" target="1"/><edge source="0" target="1" weight="3"/>', "undirected", [1, 3]),
        ('<edge source="0" target="1" type="directed" weight="3"/>', "undirected", [3]),
        ('<edge source="0" target="1" type="mutual" weight="3"/>', "directed", [3, 3]),
        ('<edge source="0" target="1" type="undirected" weight="3"/>', "directed", [3, 3]),
        (
            '<edge source="0" target="1"><attvalues><attvalue for="cost" value="7"/></attvalues></edge>',
            "undirected",
            [7],
        ),
        (
            '<edge source="0" target="1"><attvalues><attvalue for="c" value="7"/></attvalues></edge>',
            "undirected",
            [7],
        ),
        ('<edge source="0" target="1" weight="NaN"/>', "undirected", None),
        (
            '<edge source="0" target="1"><attvalues><attvalue for="c" value="7" start="1" end="2"/>'
            '<attvalue for="c" value="8" start="2" end="3"/></attvalues></edge>',
            "undirected",
            None,
        ),
    ],
)
def test_gexf_of_other_programs(file, edges, default, weights):
    declared = '<attributes class="edge"><attribute id="c" title="cost" type="float"/></attributes>'
    path = file("a.gexf", gexf(edges, attributes=declared if '"c"' in edges else "", default=default))
    if weights is None:
        with pytest.raises(boruvka.errors.FormatError):
            read(path)
    else:
        assert read(path).w.tolist() == weights


PARALLEL = """Creator "graph [ multigraph 0 ]" # graph [
graph [ {} node [ id -1 label "a" ] node [ id -2 label "b" ]
 edge [ source -1 target -2 value 5 key 0 ] edge [ source -2 target -1 value {} key 0 ] # end ]
]
# the end"""


@pytest.mark.parametrize("head", ["", "directed 1", "multigraph 1", "directed 0 multigraph 0"])
@pytest.mark.parametrize("value", ["2", "2.0", "1e-05", "+2E3", ".5", "NAN", "nan"])
def test_parallel_edges_and_numbers_of_gml(file, head, value):
    path = file("a.gml", PARALLEL.format(head, value))
    if value.lower() == "nan":
        with pytest.warns(GraphWarning, match="1 of 2 edges are left out"):
            assert named_edges(read(path, missing="drop")) == [("a", "b", 5)]
        assert read(path, default=2).w.tolist() == [5, 2]
        assert_malformed(path, None, "edge 1 ('b', 'a') has nan as attribute 'value', no number")
    else:
        assert named_edges(read(path)) == [("a", "b", 5), ("a", "b", float(value))]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1"])
@pytest.mark.parametrize("name", ["São Paulo", "S&#227;o Paulo", "S&atilde;o Paulo", "S&#xE3;o Paulo"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_encodings_of_gml(file, encoding, name, end):
    text = f'graph [ node [ id 0 label "{name}" ]\nnode [ id 1 label "A&B; \x96 C" ]\n'
    text += "edge [ source 0 target 1 value 5.5 ] ]\n"
    path = file("a.gml", text.replace("\n", end).encode(encoding))
    with in_encoding(encoding != "latin-1"):
        graph = read(path)
    assert graph.names.tolist() == ["São Paulo", "A&B; – C" if encoding == "latin-1" else "A&B; \x96 C"]
    assert graph.w.tolist() == [5.5]


def test_gml_of_yed_and_cytoscape(file):
    text = """Creator "yFiles"
Version "2.20"
graph
[ hierarchic 1 label "" directed 1
  node [ root_index -1 id 7 graphics [ x 10.5 y 3.25 type "rectangle" fill "#FFCC00" ]
    LabelGraphics [ text "A" fontSize 12 ] label "two
lines" ]
  node [ root_index -2 id 9 graphics [ x 1 y 2 ] label "B" ]
  edge [ source 7 target 9 label "3" graphics [ fill "#000000" Line [ point [ x 1 y 2 ] ] ] weight 3 ]
]"""
    assert named_edges(read(file("a.gml", text))) == [("B", "two\nlines", 3)]


PAJEK = """\ufeff*Network sample.net [1]

% a comment
*Vertices 4
1 "Ann A" 0.1 0.2 0.5
2 "Bob"
3 Cy 0.4 0.1 0.5 ic Red bc Black

4 "Di &#34;D&#34;"
*Arcs :1 "knows"
1 2 3.5
2 4 6 [1-3]
*Edges
2 3 1.5 c Blue
1 3 2 l "two words"
3 4
4 4 c Blue
"""
PAJEK_EDGES = [(0, 1, 3.5), (1, 3, 6), (1, 2, 1.5), (0, 2, 2), (2, 3, 1), (3, 3, 1)]


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_pajek(file, encoding, end):
    text = PAJEK.replace("\n", end).replace("Bob", "Köln")
    path = file("a.net", text.removeprefix("\ufeff" * (encoding != "utf-8")).encode(encoding))
    with in_encoding(encoding == "utf-8"):
        graph = read(path)
    assert graph.names.tolist() == ["Ann A", "Köln", "Cy", 'Di "D"']
    assert list(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True)) == PAJEK_EDGES
    assert boruvka.minimum_spanning_forest(graph).weight == 4.5


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("*Vertices 4\n*Edges\n1 2 5\n2 3 1\n", [(0, 1, 5), (1, 2, 1)]),
        ("*vertices 3\n*arcslist\n1 2 3\n*EdgesList\n3 1\n", [(0, 1, 1), (0, 2, 1), (2, 0, 1)]),
        ("*Vertices 3\n*Matrix\n0 2 0\n2 0 3\n0 3 0\n", [(0, 1, 2), (1, 2, 3)]),
        ("*Vertices 3\n*Matrix\n0 2 0 1 0\n3 0 0 0\n", [(0, 1, 2), (1, 0, 1), (1, 2, 3)]),
        ("*Vertices 3 2\n*Matrix\n0\n4.5\n", [(1, 2, 4.5)]),
        ("*Vertices 2\n*Matrix :1\n0 1 1 0\n*Matrix :2\n0 7 7 0\n", [(0, 1, 1), (0, 1, 7)]),
        ("*Vertices 2\n1 1\n2 2\n*Edges\n2 1 9\n", [(1, 0, 9)]),
    ],
)
def test_forms_of_pajek(file, text, edges):
    graph = read(file("a.net", text))
    assert (graph.names, graph.first_id) == (None, 1)
    assert list(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True)) == edges
    chosen = kruskal(graph.n, graph.u, graph.v, graph.w)
    assert boruvka.minimum_spanning_forest(graph).edges.tolist() == chosen


def test_of_a_project_of_pajek_the_first_network_is_read(file):
    partition = "*Partition p\n*Vertices 2\n1\n2\n"
    network = "*Network {0}\n*Vertices 2\n1 a{0}\n2 b{0}\n*Edges\n1 2 {0}\n"
    graph = read(file("a.paj", partition + network.format(5) + partition))
    assert named_edges(graph) == [("a5", "b5", 5)]
    with pytest.warns(GraphWarning, match="only the first network is read"):
        assert read(file("a.paj", network.format(5) + partition + network.format(6))).w.tolist() == [5]


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("1 2 5\n", 1, "expected '*Vertices n', found '1 2 5'"),
        ("*Vertices x\n", 1, "expected '*Vertices n'"),
        ("*Vertices 2\n*Edges\n1 2 5\n2 3 4\n", 4, "expected a line of *edges with ids from 1 to 2"),
        ("*Vertices 2\n*Edges\n1\n", 3, "expected a line of *edges"),
        ("*Vertices 2\n*Events\n1 2\n", 2, "expected a line of *events"),
        ("*Vertices 2\n3 x\n", 2, "expected a line of *vertices with ids from 1 to 2"),
        ("*Vertices 2\n*Matrix\n0 1 1\n", None, "expected a matrix of 2 x 2 numbers, found 3"),
        ("*Vertices -3\n*Edges\n1 2\n", 1, "expected '*Vertices n', found '*Vertices -3'"),
        ("*Vertices 1_0\n*Edges\n1 2\n", 1, "expected '*Vertices n', found '*Vertices 1_0'"),
        ("*Vertices 2\n*Matrix\n0 1\nx 0\n", 4, "expected a row of numbers, found 'x 0'"),
        ("*Vertices 2\n*Matrix\n0 1e999\n1e999 0\n", 3, "1e999 is beyond the range of float64"),
        ("*Vertices 2\n*Edges\n1 2 1,5\n", None, "the weight of edge 0 is '1,5'"),
        ("*Vertices 2\n*Edges\n1 2 nan\n", None, "edge 0 (1, 2) has nan as attribute 'weight', no number"),
    ],
)
def test_malformed_pajek(file, text, line, message):
    assert_malformed(file("a.net", text), line, message)


def test_so_many_vertices_of_pajek_need_more_memory(file):
    with pytest.raises(boruvka.errors.FileError, match=r"a\.net: .*memory"):
        read(file("a.net", "*Vertices 1000000000000\n"))


def test_equal_labels_of_pajek_are_no_names(file):
    with pytest.warns(GraphWarning, match="called by their ids, as 'x' is the label of 2"):
        graph = read(file("a.net", "*Vertices 2\n1 x\n2 x\n*Edges\n1 2 3\n"))
    assert (graph.names, graph.first_id) == (None, 1)


def test_an_object_of_networkx_that_was_read_from_pajek(file):
    path = file("a.net", PAJEK.removeprefix("\ufeff").replace("% a comment\n", "").replace("&#34;", "'"))
    g = nx.parse_pajek([line for line in path.read_text().splitlines() if line])
    with pytest.warns(GraphWarning, match="the graph is directed"):
        graph = boruvka.as_graph(g, default=1)
    ours = read(path)
    assert sorted(named_edges(graph)) == sorted(named_edges(ours))


@pytest.mark.parametrize("ending", ["gml", "net"])
def test_utf_16_is_recognised(file, ending):
    gml = 'graph [ node [ id 0 label "Köln" ] node [ id 1 label "b" ] edge [ source 0 target 1 weight 3 ] ]'
    text = {"gml": gml, "net": "*Vertices 2\n1 Köln\n2 b\n*Edges\n1 2 3\n"}[ending]
    with pytest.warns(GraphWarning, match="read as UTF-16"):
        assert named_edges(read(file(f"a.{ending}", text.encode("utf-16")))) == [("Köln", "b", 3)]
