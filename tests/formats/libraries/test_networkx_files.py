"""GraphML, GEXF and GML, against NetworkX."""

import networkx as nx
import numpy as np
import pytest

from boruvka import Graph, GraphWarning, as_graph, minimum_spanning_forest
from boruvka.errors import FormatError, OptionError
from boruvka.formats import read, write
from tests.formats.helpers import assert_malformed, edges_of

FORMATS = ["graphml", "gexf", "gml"]
NAMES = ["Bonn am Rhein", "ü <&'", "x", "10"]


def named_edges(graph):
    u, v = graph.name_of(graph.u).tolist(), graph.name_of(graph.v).tolist()
    return [(*sorted((a, b), key=str), w) for a, b, w in zip(u, v, graph.w.tolist(), strict=True)]


def edges_of_networkx(g, weight="weight"):
    return [(*sorted((a, b), key=str), w) for a, b, w in g.edges(data=weight)]


def save(g, path):
    getattr(nx, f"write_{path.suffix[1:]}")(g, path)


@pytest.fixture(params=[nx.Graph, nx.MultiGraph, nx.DiGraph, nx.MultiDiGraph])
def theirs(request):
    """A graph of names with parallel or opposite edges, where the class has them, and an isolated node."""
    random = np.random.default_rng(5)
    g = request.param()
    g.add_nodes_from([*NAMES, "alone"])
    for u, v, w in random.integers(0, [4, 4, 1000], (30, 3)).tolist():
        g.add_edge(NAMES[u], NAMES[v], weight=w / 8)
    return g


@pytest.mark.parametrize("ending", FORMATS)
def test_we_read_what_networkx_writes(theirs, ending, tmp_path):
    path = tmp_path / f"a.{ending}"
    save(theirs, path)
    graph = read(path)
    assert graph.names.tolist() == [*NAMES, "alone"]
    assert named_edges(graph) == edges_of_networkx(theirs)


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("compression", ["", ".gz"])
def test_networkx_reads_what_we_write(ending, compression, tmp_path):
    graph = Graph(5, [0, 3, 1, 2, 0], [1, 0, 2, 2, 1], [3, -2, 2**40, 7, 1]).with_names([*NAMES, "é"])
    path = tmp_path / f"a.{ending}{compression}"
    write(graph, path)
    options = {"gml": {}, "graphml": {}, "gexf": {"relabel": True}}[ending]
    g = getattr(nx, f"read_{ending}")(path, **options)
    assert sorted(g) == sorted(graph.names)
    found = [(u, v, float(w)) for u, v, w in edges_of_networkx(g)]
    assert sorted(found) == sorted(named_edges(graph))
    back = read(path)
    assert back.names.tolist() == graph.names.tolist()
    assert named_edges(back) == named_edges(graph)


@pytest.mark.parametrize("ending", FORMATS)
def test_equal_graphs_make_equal_files(ending, tmp_path):
    paths = tmp_path / f"a.{ending}", tmp_path / f"b.{ending}"
    for path in paths:
        write(Graph(2, [0], [1], [5]), path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert b"lastmodified" not in paths[0].read_bytes()


@pytest.mark.parametrize("ending", FORMATS)
def test_which_attribute_is_the_weight(ending, tmp_path):
    path = tmp_path / f"a.{ending}"
    save(nx.Graph([(0, 1, {"value": 2, "speed": 50})]), path)
    assert read(path).w.tolist() == [2]
    assert read(path, columns=("speed",)).w.tolist() == [50]
    with pytest.raises(OptionError, match=r"must name one attribute of edges.*there are .*speed"):
        read(path, columns=("height",))
    save(nx.Graph([(0, 1, {"Length": 2, "cost": 50})]), path)
    assert_malformed(path, None, "more than one attribute of edges may be the weight: Length, cost")
    save(nx.Graph([(0, 1, {"speed": 50})]), path)
    if ending != "gexf":
        assert_malformed(path, None, "cannot tell the weight among the attributes of edges")
    assert read(path, unweighted=True).w.tolist() == [1]
    save(nx.Graph([(0, 1, {"weight": 50}), (1, "x", {})]), path)
    if ending == "gexf":
        assert sorted(read(path).w.tolist()) == [1, 50]
    else:
        ends = "" if ending == "gml" else "'1', 'x') has no attribute 'weight'; pass default=1 for a weight"
        assert_malformed(path, None, f"edge 1 ({ends}")
    save(nx.Graph([(0, 1, {"weight": "heavy"})]), path)
    assert_malformed(path, None, "the weight of edge 0 is 'heavy'", columns=("weight",))
    save(nx.Graph([(0, 1, {"weight": float("nan")})]), path)
    assert_malformed(path, None, "has nan as attribute 'weight', no number; pass default=1 for a weight of")
    with pytest.warns(GraphWarning, match="1 of 1 edges are left out"):
        assert read(path, missing="drop").m == 0


def test_default_values_of_graphml_are_weights(file):
    path = file(
        "a.graphml",
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><key id="d" for="edge" attr.name="weight" '
        'attr.type="int"><default>7</default></key><graph edgedefault="directed"><node id="a"/><node id="b"/>'
        '<edge source="a" target="b"/><edge source="b" target="a"><data key="d">3</data></edge></graph>'
        "</graphml>",
    )
    assert edges_of(read(path)) == [(0, 1, 7), (1, 0, 3)]


def test_vertices_are_called_by_their_ids_where_labels_are_equal(file):
    edge = "edge [ source 5 target 9 weight 2.5 ]"
    path = file("a.gml", f'graph [ node [ id 5 label "x" ] node [ id 9 label "x" ] {edge} ]')
    with pytest.warns(GraphWarning, match="are called by their ids, as 'x' is the label of 2"):
        assert read(path).names.tolist() == [5, 9]
    for labels in ("", ""), ('label "x"', ""), ('label ""', 'label ""'):
        nodes = f"node [ id 5 {labels[0]} ] node [ id 9 {labels[1]} ]"
        assert read(file("a.gml", f"graph [ {nodes} {edge} ]")).names.tolist() == [5, 9]
    path = file("a.gml", f'graph [ node [ id 5 label "x" ] node [ id 9 label "y" ] {edge} ]')
    assert read(path).names.tolist() == ["x", "y"]


LAUGHS = '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/hostname">]>'


@pytest.mark.parametrize("ending", ["graphml", "gexf"])
@pytest.mark.parametrize("doctype", [LAUGHS, OUTSIDE, '<!DOCTYPE x SYSTEM "http://127.0.0.1/x.dtd">'])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_entities_are_refused(file, ending, doctype, encoding):
    text = f'<?xml version="1.0" encoding="{encoding}"?>{doctype}<{ending}>&a;</{ending}>'
    assert_malformed(file(f"a.{ending}", text.encode(encoding)), None, "has a DOCTYPE")


@pytest.mark.filterwarnings("ignore:.*read as UTF-16")
@pytest.mark.parametrize(
    ("name", "content", "line", "message"),
    [
        ("a.graphml", "<graphml>\n<graph>\n</graphml>", 3, "cannot be read as graphml: mismatched tag"),
        ("a.gexf", "<gexf>\n<graph>\n</gexf>", 3, "cannot be read as gexf: mismatched tag"),
        ("a.graphml", "<graphml></graphml>", None, "No <graph> element"),
        ("a.gexf", "<gexf></gexf>", None, "No <graph> element"),
        (
            "a.graphml",
            "<graphml><graph><edge source='a'/></graph></graphml>",
            None,
            "edge 0 has no source or",
        ),
        ("a.graphml", "<graphml><graph><hyperedge/></graph></graphml>", None, "has a hyperedge"),
        ("a.gml", "graph [\n node [ id 0\n", 3, "expected a key or ], found 'the end'"),
        ("a.gml", "graph [\n node [ id ] ]", 2, "expected a value of id, found '] ]'"),
        ("a.gml", 'graph [\n node [ id "0 ] ]', 2, "expected a value of id, found '\"0 ] ]'"),
        ("a.gml", "graph [ ]\n]", 2, "expected a key, found ']'"),
        ("a.gml", "x 5", None, "expected one graph, found 0"),
        ("a.gml", "graph [ node [ label 0 ] ]", None, "node 0 has no id"),
        ("a.gml", "graph [ node [ id 0 ] node [ id 0 ] ]", None, "node 1 has the id of another"),
        ("a.gml", "graph [ node [ id 0 ] edge [ source 0 target 4 ] ]", None, "the undefined target 4"),
        ("a.gml", "graph [ node [ id [ x 0 ] ] ]", None, "node 0 has no id"),
        ("a.gml", "graph [ node [ id 0 ] edge [ source [ x 0 ] target 0 ] ]", None, "the undefined source ["),
        ("a.gml", "graph [ node 5 ]", None, "expected [ after node, found '5'"),
        ("a.gml", b"\xff\xfe", None, "expected one graph, found 0"),
    ],
)
def test_malformed_files(file, name, content, line, message):
    assert_malformed(file(name, content), line, message)


def written(path, metadata, graph=None):
    """Write a path of three vertices, or another graph, with metadata; return the nodes of NetworkX."""
    graph = Graph(3, [0, 1], [1, 2], [1, 2]).with_names(["a", "b", "c"]) if graph is None else graph
    write(graph, path, metadata=metadata)
    nodes = getattr(nx, f"read_{path.suffix[1:]}")(path).nodes(data=True)
    return {name: {key: x for key, x in data.items() if key != "label"} for name, data in nodes}


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize(
    ("given", "found"),
    [
        (["2001", None, "-3"], [2001, None, -3]),
        (["0.5", "2", "1e+30"], [0.5, 2.0, 1e30]),
        (["007", "7", ""], ["007", "7", ""]),
        (["1.50", "2", "x"], ["1.50", "2", "x"]),
        (["inf", "nan", "1"], ["inf", "nan", "1"]),
        (["1" * 19, str(2**63), "1_0"], ["1" * 19, str(2**63), "1_0"]),
        ([2.5, float("nan"), 4], [2.5, None, 4.0]),
        (["<&'\"", "ü\tx", "y"], ["<&'\"", "ü\tx", "y"]),
    ],
)
def test_metadata_are_numbers_where_no_digit_is_lost(ending, given, found, tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"x_1": given}, index=list("abc"), dtype=object)[::-1]
    nodes = written(tmp_path / f"a.{ending}", frame)
    values = [nodes[name].get("x_1") for name in "abc"]
    assert (values, list(map(type, values))) == (found, list(map(type, found)))


@pytest.mark.parametrize("ending", FORMATS)
def test_names_of_columns_that_have_a_meaning(ending, tmp_path):
    pandas = pytest.importorskip("pandas")
    columns = ["Name", "label", "x", "y", "start", "key", "members"]
    graph = Graph(3, [0, 1], [1, 2], [1, 2]).with_names(["a", "b", "c"]).with_coordinates(np.eye(3, 2))
    frame = pandas.DataFrame({name: ["p", "q", "r"] for name in columns}, index=list("abc"))
    nodes = written(tmp_path / f"a.{ending}", frame, graph)
    assert nodes["a"] == {"x": 1, "y": 0, "members": "p"} | {f"{name}_given": "p" for name in columns[:-1]}
    twice = pandas.DataFrame(
        [[1, 2, 3], [4, 5, 6], [7, 8, 9]], index=list("abc"), columns=["x", "x", "x_given"]
    )
    found = {"x_given": 1, "x_given_given": 2, "x_given_given_given": 3}
    assert written(tmp_path / f"b.{ending}", twice)["a"] == found
    back = read(tmp_path / f"a.{ending}")
    assert back.names.tolist() == ["a", "b", "c"]
    assert np.array_equal(back.coordinates, np.eye(3, 2))


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("height", [None, 1])
def test_members_of_vertices(ending, height, tmp_path):
    """Groups by pandas have the same members and values as the vertices."""
    pd = pytest.importorskip("pandas")
    strains = pd.DataFrame(
        [[1, 1], [2, 9], [1, 1], [1, 2], [7, 8]], index=list("ebdca"), columns=["l1", "l2"]
    )
    graph = Graph.from_profiles(strains, collapse=True)
    tree = minimum_spanning_forest(graph)
    tree = tree if height is None else tree.collapse_at(height)
    metadata = pd.DataFrame(
        {"ward": ["W", None, "V", "W", None], "year": [1, 2, 1, 1, 3]}, index=list("abcde")
    )
    path = tmp_path / f"a.{ending}"
    nodes = written(path, metadata, tree)
    rows = metadata.reindex(strains.index).assign(vertex=tree.graph.name_of(tree.graph.profiles.vertex_of))
    for vertex, group in rows.groupby("vertex"):
        expected = {"size": len(group), "members": "; ".join(group.index)}
        for name in metadata:
            texts = [str(x) for x in group[name].dropna().unique()]
            expected |= {name: "; ".join(texts)} if texts else {}
        assert {key: str(x) for key, x in nodes[vertex].items()} == {k: str(x) for k, x in expected.items()}
    edges = getattr(nx, f"read_{ending}")(path).edges(data=True)
    found = {(data.get("source_member"), data.get("target_member")) for *_, data in edges}
    frame = tree.to_pandas()
    pairs = (
        {(None, None)}
        if height is None
        else {*zip(frame["source_member"], frame["target_member"], strict=True)}
    )
    assert found == pairs
    assert read(path).names.tolist() == tree.graph.names.tolist()


def test_metadata_that_cannot_be_written(tmp_path):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"date sampled": ["1", "\x01", "3"]}, index=list("abc"))
    for ending, message in [
        ("gml", "GML holds no column 'date sampled': rename it"),
        ("graphml", "the column 'date sampled' has a character that cannot be written"),
        ("csv", "'csv' holds no columns of vertices; choose one of graphml, gexf, gml; forest.to_nodes"),
        ("npz", "'npz' holds no columns of vertices"),
    ]:
        with pytest.raises(FormatError, match=message):
            written(tmp_path / f"a.{ending}", frame)
        assert not (tmp_path / f"a.{ending}").exists()


@pytest.mark.parametrize(
    ("epsg", "place"), [(25832, (500_000, 5_600_000)), (4326, (9.0, 50.5)), (None, (1.0, 2.0))]
)
def test_graphml_keeps_the_reference_system(epsg, place, tmp_path):
    geopandas, shapely = pytest.importorskip("geopandas"), pytest.importorskip("shapely")
    lines = [shapely.LineString([place, (place[0] + 0.25, place[1])])]
    frame = geopandas.GeoDataFrame({"cost": [5.0]}, geometry=lines, crs=epsg)
    write(as_graph(frame, weight="cost"), tmp_path / "a.graphml")
    graph = read(tmp_path / "a.graphml")
    found = minimum_spanning_forest(graph).to_geopandas()
    assert (found.crs and found.crs.to_epsg(), graph.system) == (epsg, "lonlat" if epsg == 4326 else "xy")
    assert nx.read_graphml(tmp_path / "a.graphml").graph.get("crs") == (epsg and f"EPSG:{epsg}")
    np.testing.assert_array_equal(shapely.get_coordinates(found.geometry), shapely.get_coordinates(lines))
