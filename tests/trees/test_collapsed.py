"""Collapsed branches: groups are those of NetworkX, and everything counts their members."""

import re
import warnings

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, GraphWarning, OptionError, minimum_spanning_forest
from boruvka.trees.plotting.rows import sizes_of_vertices

pytest.importorskip("matplotlib")


@st.composite
def weighted_graphs(draw):
    n = draw(st.integers(1, 9))
    ends = st.integers(0, n - 1)
    edges = draw(st.lists(st.tuples(ends, ends, st.integers(0, 3)), min_size=1, max_size=25))
    return n, edges


@given(graph=weighted_graphs(), height=st.sampled_from([-1, 0, 1, 1.5, 3]), maximum=st.booleans())
def test_groups_are_those_of_networkx(graph, height, maximum):
    """The contracted graph, solved again, has the same forest and the same network."""
    n, edges = graph
    names = [f"v{k}" for k in range(n)]
    whole = Graph.from_edges(*zip(*edges, strict=True), n=n, names=names)
    forest = minimum_spanning_forest(whole, maximum=maximum)
    light = nx.Graph()
    light.add_nodes_from(range(n))
    light.add_edges_from((u, v) for u, v, w in edges if (w >= height if maximum else w <= height))
    groups = sorted(map(sorted, nx.connected_components(light)))
    of = {x: k for k, group in enumerate(groups) for x in group}
    found = forest.collapse_at(height)
    members = found.graph.profiles
    assert members.vertex_of.tolist() == [of[x] for x in range(n)]
    assert members.sizes.tolist() == list(map(len, groups))
    assert members.names.tolist() == names
    assert found.graph.name_of(np.arange(found.n)).tolist() == [names[group[0]] for group in groups]
    contracted = Graph.from_edges(*zip(*[(of[u], of[v], w) for u, v, w in edges], strict=True), n=len(groups))
    again = minimum_spanning_forest(contracted, maximum=maximum)
    assert (found.weight, found.n_components) == (again.weight, again.n_components)
    assert np.array_equal(found.cut_at(2), again.cut_at(2))

    def pairs(edges):
        return sorted((min(u, v), max(u, v), w) for u, v, w in zip(edges.u, edges.v, edges.w, strict=True))

    collapsed = pairs(forest.network().collapse_at(height))
    assert collapsed == sorted({*pairs(again.network())})  # of parallel edges it has the first


@given(graph=weighted_graphs(), heights=st.lists(st.sampled_from([0, 1, 2]), min_size=1, max_size=2))
def test_members_have_the_weights(graph, heights):
    """Each edge of groups is an edge of the graph between the two members, which are in its groups."""
    n, edges = graph
    names = [f"v{k}" for k in range(n)]
    forest = minimum_spanning_forest(Graph.from_edges(*zip(*edges, strict=True), n=n, names=names))
    found = {(names[u], names[v], w) for u, v, w in edges}
    for height in heights:
        forest = forest.collapse_at(height)
    rows = forest.to_pandas()
    if forest.n == n:
        assert "source_member" not in rows
        return
    members = dict(zip(names, forest.graph.name_of(forest.graph.profiles.vertex_of), strict=True))
    for row in rows.itertuples():
        assert (row.source_member, row.target_member, row.weight) in found
        assert (members[row.source_member], members[row.target_member]) == (row.source, row.target)


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet"])
def test_files_have_the_members(tmp_path, ending):
    pytest.importorskip("polars")
    graph = Graph.from_edges([0, 1, 3, 4], [1, 2, 4, 2], [1, 5, 5, 7], names=["a", "b,1", "c", "d", "e"])
    groups = minimum_spanning_forest(graph).collapse_at(1)
    path = tmp_path / f"groups.{ending}"
    boruvka.write(groups, path)
    read = {"csv": pd.read_csv, "tsv": pd.read_table, "parquet": pd.read_parquet}[ending]
    assert read(path)["source"].tolist() == ["a", "d", "e"]
    assert read(path)["source_member"].tolist() == ["b,1", "d", "e"]
    assert boruvka.read(path).w.tolist() == [5, 5, 7]


STRAINS = pd.DataFrame(
    [[1, 1, 1], [1, 0, 1], [1, 2, 1], [5, 5, 5], [5, 5, 5]], index=list("abcde"), columns=["L1", "L2", "L3"]
)


def test_strains_at_distance_0():
    """a-b and b-c are at distance 0, a-c is not: one group all the same; c is counted once."""
    graph = Graph.from_profiles(STRAINS, missing="ignore", collapse=True)
    with pytest.warns(
        GraphWarning, match=r"5 strains are 4 different profiles, but 2 groups .*collapse_at\(0\)"
    ):
        forest = minimum_spanning_forest(graph)
    found = forest.collapse_at(0)
    assert found.graph.profiles.sizes.tolist() == [3, 2]
    country = pd.Series({"a": "CZ", "b": "DE", "c": "CZ", "d": "DE", "e": "FR"}, name="country")
    axes = found.plot(colors=country)
    texts = [text.get_text() for text in axes.figure.legends[0].get_texts()]
    assert sorted(texts) == ["CZ (2)", "DE (2)", "FR (1)"]
    assert found.to_nodes()["size"].tolist() == [3, 2]
    with pytest.raises(GraphError, match=r"network is for .* collapsed"):
        found.network()
    with pytest.raises(OptionError, match="'zero' is not a height"):
        forest.collapse_at("zero")
    with pytest.raises(OptionError, match="height must be a number"):
        forest.network().collapse_at(float("nan"))


def test_no_warning_where_nothing_is_left_at_0(recwarn):
    minimum_spanning_forest(Graph.from_profiles(STRAINS, missing="differ", collapse=True))
    minimum_spanning_forest(Graph.from_profiles(STRAINS, missing="ignore"))
    assert not recwarn


def test_matrix_with_zeros_that_are_not_equal_rows():
    distances = pd.DataFrame([[0, 0, 2], [0, 0, 3], [2, 3, 0]], index=list("abc"), columns=list("abc"))
    with pytest.warns(GraphWarning, match="3 strains are 3 different profiles, but 2 groups"):
        forest = minimum_spanning_forest(Graph.from_distances(distances, collapse=True))
    assert forest.collapse_at(0).graph.profiles.sizes.tolist() == [2, 1]


def test_vertices_with_numbers_and_coordinates():
    points = boruvka.Graph.from_points([[0.0, 0.0], [0.0, 0.0], [3.0, 4.0]])
    found = minimum_spanning_forest(points).collapse_at(0)
    assert found.graph.coordinates.tolist() == [[0, 0], [3, 4]]
    assert found.graph.names.tolist() == [0, 2]
    assert found.w.tolist() == [5]
    assert minimum_spanning_forest(points).collapse_at(-1).graph.names is None


def test_values_of_the_first_strains_only():
    """Names of vertices are names of strains: the other strains have no value, and a warning says why."""
    graph = Graph.from_profiles(STRAINS, missing="differ", collapse=True)
    forest = minimum_spanning_forest(graph)
    country = pd.Series(list("xyxyx"), STRAINS.index)
    with pytest.warns(GraphWarning) as said:
        axes = forest.plot(colors=country.reindex(graph.names))
    assert "only the first strain of each vertex has a row: give a row for each of" in str(said[0].message)
    assert "colors: 1 of 5 names have no row, the first is 'e'" in str(said[1].message)
    texts = [text.get_text() for text in axes.figure.legends[0].get_texts()]
    assert sorted(texts) == ["no value (1)", "x (2)", "y (2)"]


@pytest.mark.parametrize("sizes", [[3, 1, 1, 1], [1, 9, 1, 1], [40, 1], [1, 1, 1, 30, 1, 1, 1]])
def test_pies_are_whole(sizes):
    """Large dots at the border of a small tree are within the axes, whatever the figure holds beside them."""
    profiles = [[k] * 3 for k, size in enumerate(sizes, 1) for _ in range(size)]
    forest = minimum_spanning_forest(Graph.from_profiles(profiles, collapse=True))
    axes = forest.plot(colors=[str(k % 3) for k in range(sum(sizes))])
    axes.figure.draw_without_rendering()
    (dots,) = [x for x in axes.collections if len(x.get_sizes()) == len(sizes)]
    places = axes.transData.transform(dots.get_offsets())
    radius = np.sqrt(dots.get_sizes())[:, None] / 2 * axes.figure.dpi / 72
    low, high = axes.get_window_extent().get_points()
    assert (places - radius >= low - 1).all()
    assert (places + radius <= high + 1).all()


def test_different_values_of_a_vertex(tmp_path):
    """Tables and labels have each once, as files have; a frame of the first strains is for vertices."""
    graph = Graph.from_profiles(STRAINS, missing="differ", collapse=True)
    forest = minimum_spanning_forest(graph)
    ward = pd.Series(["ICU", None, "ICU", "Neo", "Ger"], STRAINS.index, name="ward")
    age = pd.Series([3, 4, 3, 6, 5], STRAINS.index, name="age")
    first = pd.Series(graph.profiles.first_rows, graph.names, name="row")
    for table in {"ward": ward, "age": age}, pd.DataFrame({"ward": ward, "age": age}):
        nodes = forest.to_nodes(table).fillna({"ward": ""})
        boruvka.write(forest, tmp_path / "t.graphml", metadata=table)
        of_file = nx.read_graphml(tmp_path / "t.graphml").nodes(data=True)
        expected = {x: (y.get("ward", ""), str(y["age"])) for x, y in of_file}
        found = zip(nodes["vertex"], nodes["ward"], map(str, nodes["age"]), strict=True)
        assert {x: (y, z) for x, *(y, z) in found} == expected
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert forest.to_nodes(first)["row"].tolist() == first.tolist()
        texts = {text.get_text() for text in forest.plot(labels=ward).texts}
        assert {text.get_text() for text in forest.plot(labels=first).texts} == {*map(str, first)}
    assert texts == {ward for ward, _ in expected.values() if ward}


def test_tables_with_more_and_with_fewer_rows():
    """Rows of other strains are left out; a strain without a row has no value, anywhere."""
    forest = minimum_spanning_forest(Graph.from_profiles(STRAINS, missing="differ"))
    table = pd.DataFrame({"x": [1, 2, 3, 4], "strain": ["Z1", "d", "b", "a"]})
    for values in table.set_index("strain"), table:
        with pytest.warns(GraphWarning) as said:
            nodes = forest.to_nodes(values)
        assert re.search("1 of 4 rows are left out: the .* has 'Z1', which is no", str(said[0].message))
        assert "2 of 5 names have no row, the first is 'c': they have no value" in str(said[1].message)
        assert nodes["x"].fillna(-1).tolist() == [4, 3, -1, 2, -1]
    series = table.set_index("strain")["x"]
    with pytest.warns(GraphWarning):
        axes = forest.plot(labels=series, sizes=series, colors=series.astype(str))
    assert sorted(filter(None, (text.get_text() for text in axes.texts))) == ["2", "3", "4"]
    assert "no value" in [text.get_text() for text in axes.figure.legends[0].get_texts()]
    with pytest.raises(GraphError, match="the index has 'Z1', which is no vertex"):
        forest.plot(colors=series[:1])


def test_tables_with_a_row_for_each_strain():
    graph = Graph.from_profiles(STRAINS, missing="differ", collapse=True)
    forest = minimum_spanning_forest(graph)
    vertex = ["a", "b", "c", "d", "d"]
    clusters = forest.clusters([0, 1])
    assert clusters.columns.tolist() == ["strain", "vertex", "cluster_0", "cluster_1"]
    assert clusters["strain"].tolist() == STRAINS.index.tolist()
    assert clusters["vertex"].tolist() == clusters["cluster_0"].tolist() == vertex
    assert clusters["cluster_1"].tolist() == ["a", "a", "a", "d", "d"]
    country = pd.Series(list("vwxyz"), STRAINS.index[::-1], name="size")
    nodes = forest.to_nodes(country, members=True)
    assert nodes["strain"].tolist() == STRAINS.index.tolist()
    assert nodes["vertex"].tolist() == vertex
    assert nodes["size"].tolist() == [1, 1, 1, 2, 2]
    assert nodes["size_given"].tolist() == list("zyxwv")
    groups = minimum_spanning_forest(Graph.from_profiles(STRAINS, missing="ignore")).collapse_at(0)
    assert groups.clusters([9])["vertex"].tolist() == ["a", "a", "a", "d", "d"]
    whole = minimum_spanning_forest(Graph.from_profiles(STRAINS, missing="differ")).to_nodes(members=True)
    assert whole["strain"].tolist() == STRAINS.index.tolist()
    assert "vertex" not in whole


@pytest.mark.parametrize("kind", ["series", "array", "dict"])
def test_sizes_of_the_strains_of_a_vertex_are_added(kind):
    forest = minimum_spanning_forest(Graph.from_profiles(STRAINS, missing="differ", collapse=True))
    cases = pd.Series([1.5, 2, np.nan, 4, 5], STRAINS.index, name="cases")
    values = {"series": cases[::-1], "array": cases.to_numpy(), "dict": cases[::-1].to_dict()}
    assert sizes_of_vertices(forest, values[kind]).tolist() == [1.5, 2, 0, 9]  # d and e are one vertex
    assert sizes_of_vertices(forest, [7, 8, 9, 10]).tolist() == [7, 8, 9, 10]
    of_vertices = pd.Series([7, 8, 9, 10], list("abcd"))
    assert sizes_of_vertices(forest, of_vertices).tolist() == [7, 8, 9, 10]
    with pytest.raises(GraphError, match="the size of vertex 'e' is -1"):
        sizes_of_vertices(forest, cases.replace(5, -1))


def graph_of_names(index, collapse):
    return Graph.from_profiles(STRAINS.rename_axis(index), missing="differ", collapse=collapse)


@pytest.mark.parametrize(
    ("graph", "column"),
    [
        (graph_of_names("FILE", False), "FILE"),
        (graph_of_names("FILE", True), "FILE"),
        (graph_of_names("#Key", True), "Key"),
        (graph_of_names("vertex", False), "vertex"),
        (graph_of_names("vertex", True), "strain"),  # which has the vertices
        (graph_of_names("size", False), "size"),
        (graph_of_names(None, False), "strain"),
        (graph_of_names(None, True), "strain"),
        (Graph.from_points(pd.DataFrame({"x": [1, 2]}, index=pd.Index(["p", "q"], name="city"))), "city"),
        (Graph.from_edges(["p"], ["q"], [1]), "vertex"),
        (Graph(3, [0], [1], [1]), "vertex"),
    ],
)
def test_the_column_of_names_has_one_name_in_all_tables(graph, column):
    forest = minimum_spanning_forest(graph)
    is_collapsed = graph.profiles is not None and graph.profiles.names is not None
    of_nodes = "strain" if column == "size" else column
    names = STRAINS.index.tolist() if is_collapsed else graph.name_of(np.arange(graph.n)).tolist()
    clusters, nodes, members = forest.clusters([1]), forest.to_nodes(), forest.to_nodes(members=True)
    for table, id in (clusters, column), (members, of_nodes):
        assert table.columns[0] == id
        assert table[id].tolist() == names
        assert table.columns.is_unique
        assert ("vertex" in table) == (is_collapsed or column == "vertex")
    assert nodes.columns[0] == ("vertex" if is_collapsed else of_nodes)
    assert nodes.iloc[:, 0].tolist() == graph.name_of(np.arange(graph.n)).tolist()


def test_another_column_holds_the_names():
    """A column id that names nothing of the graph does not hide the column strain."""
    forest = minimum_spanning_forest(Graph.from_profiles(STRAINS, missing="differ"))
    table = pd.DataFrame({"id": ["r1", "r2", "r3", "r4", "r5"], "strain": list("edcba"), "x": range(5)})
    nodes = forest.to_nodes(table)
    assert nodes["x"].tolist() == [4, 3, 2, 1, 0]
    assert nodes["id"].tolist() == ["r5", "r4", "r3", "r2", "r1"]
    with pytest.raises(GraphError, match=r"has 'r1', which is no vertex; the first ones are 'a', 'b', 'c'$"):
        forest.to_nodes(table[["id", "x"]].set_index("id")[:3])
    with pytest.raises(GraphError, match=r"has 'r1', which is no vertex; .* pass metadata\.to_numpy\(\)"):
        forest.to_nodes(table[["id", "x"]].set_index("id"))
