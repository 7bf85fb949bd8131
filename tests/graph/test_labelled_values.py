"""Values with labels, in every order and container, against the same values in the order of the vertices."""

import numpy as np
import polars
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError
from boruvka.graph.labelled_values import in_edge_order, in_vertex_order

pandas = pytest.importorskip("pandas")
pyarrow = pytest.importorskip("pyarrow")

NAMES = {
    "strings": ["b", "a", "", "A b", "ü"],
    "integers": [7, -3, 2**62, 0, 12],
    "tuples": [(0, 1), (1, 0), (0, 0), (2, 2), ("a", 1)],
    "numbers": None,
}


def graph_with(names):
    graph = Graph(5, [0, 1, 2, 3], [1, 2, 3, 4], [1, 5, 2, 4])
    return graph if names is None else graph.with_names(names)


def containers(labels, values, is_named):
    """Values beside labels in every container that has labels."""
    series = pandas.Series(values, index=pandas.Index(labels, tupleize_cols=False))
    yield dict(zip(labels, values, strict=True))
    yield series
    yield series.to_frame("x")
    if is_named and isinstance(labels[0], str):
        yield pandas.Series(values, index=pandas.CategoricalIndex(labels))
    if not isinstance(labels[0], tuple):
        column = "strain" if isinstance(labels[0], str) else "vertex"
        yield pandas.DataFrame({"x": values, column: labels})
        yield polars.DataFrame({"x": values, column: labels})
        yield pyarrow.table({column: labels, "x": values})


@pytest.mark.parametrize("kind", NAMES)
@given(st.permutations(range(5)))
def test_values_are_matched_by_labels(kind, order):
    graph, values = graph_with(NAMES[kind]), [10.0, 11.0, 12.0, 13.0, 14.0]
    labels = [graph.name_of(np.arange(5)).tolist()[i] for i in order]
    permuted = [values[i] for i in order]
    for given_values in containers(labels, permuted, NAMES[kind] is not None):
        if kind == "numbers" and order == list(range(5)) and hasattr(given_values, "iloc"):
            continue
        assert np.asarray(in_vertex_order(graph, "values", given_values)).ravel().tolist() == values
    for given_values in values, tuple(values), np.array(values), polars.Series(values), pyarrow.array(values):
        assert np.asarray(in_vertex_order(graph, "values", given_values)).tolist() == values


@pytest.mark.parametrize("kind", NAMES)
def test_wrong_labels_are_named(kind):
    graph = graph_with(NAMES[kind])
    labels, unknown = graph.name_of(np.arange(5)).tolist(), "none" if kind != "integers" else 99
    for wrong, message in [
        (labels[:4], "the vertex .* has no value"),
        ([*labels, unknown], "has the label .*, which is unknown"),
        ([*labels[:4], unknown], "has the label .*, which is unknown"),
        ([*labels[:4], labels[0]], "has the label .* twice"),
        ([*labels[:4], float("nan")], "has the label nan, which is unknown"),
    ]:
        series = pandas.Series(
            range(len(wrong)), index=pandas.Index(wrong, dtype=object, tupleize_cols=False)
        )
        with pytest.raises(GraphError, match=f"values.*{message}"):
            in_vertex_order(graph, "values", series)
    with pytest.raises(GraphError, match=r"the vertex .* has no value, nor have 3 others"):
        in_vertex_order(graph, "values", {labels[0]: 1})


def test_text_is_no_number():
    named = graph_with(NAMES["integers"])
    with pytest.raises(GraphError, match="has the label '7', which is unknown"):
        in_vertex_order(named, "values", {"7": 1})
    with pytest.raises(GraphError, match="has the label '0', which is unknown"):
        in_vertex_order(graph_with(None), "values", {"0": 1})


def test_a_pandas_index_that_numbers_the_rows():
    series = pandas.Series([1, 2, 3, 4, 5])
    assert in_vertex_order(graph_with(None), "values", series).tolist() == [1, 2, 3, 4, 5]
    with pytest.raises(GraphError, match="colours has an index that only numbers its rows"):
        in_vertex_order(graph_with(NAMES["strings"]), "colours", series)
    filtered = pandas.Series(range(6))[1:]
    with pytest.raises(GraphError, match="has the label 5, which is unknown"):
        in_vertex_order(graph_with(None), "values", filtered)


@given(st.permutations(range(5)))
def test_every_argument_of_forests(order):
    graph = graph_with(NAMES["strings"])
    forest, x = boruvka.minimum_spanning_forest(graph), np.array([0, 0, 5, 5, 5])
    labels = [NAMES["strings"][i] for i in order]
    series = pandas.Series(x[list(order)], index=labels)
    assert forest.regions(2, series).tolist() == forest.regions(2, x).tolist()
    amounts = forest.regions(2, x, amounts=series, min_amount=5)
    assert amounts.tolist() == forest.regions(2, x, amounts=x, min_amount=5).tolist()
    assert forest.rooted("a").subtree(series).tolist() == forest.rooted("a").subtree(x).tolist()
    assert forest.rooted("a").from_root(dict(series)).tolist() == forest.rooted("a").from_root(x).tolist()
    frame = pandas.DataFrame({"x": x, "y": 2 * x}, index=NAMES["strings"]).loc[labels]
    assert graph.with_coordinates(frame).coordinates.tolist() == [[a, 2 * a] for a in x]
    assert forest.to_nodes(frame)["x"].tolist() == x.tolist()
    for metadata in (
        frame.reset_index(names="isolate"),
        polars.from_pandas(frame.reset_index(names="name")),
        pyarrow.Table.from_pandas(frame.reset_index(names="name"), preserve_index=False),
        {"name": labels, "x": series.tolist()},
    ):
        assert forest.to_nodes(metadata)["x"].tolist() == x.tolist()
    with pytest.raises(GraphError, match=r"metadata: the vertex .* has no value"):
        forest.to_nodes(frame.iloc[1:])


@given(st.permutations(range(5)))
def test_pictures(order):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    forest = boruvka.minimum_spanning_forest(graph_with(NAMES["strings"]))
    places = np.arange(10.0).reshape(5, 2) ** 1.5
    x, labels = np.arange(1, 6), [NAMES["strings"][i] for i in order]
    series = pandas.Series(x[list(order)], index=labels)
    frame = pandas.DataFrame(places[list(order)], index=labels)

    def drawn(**how):
        ax = forest.plot(**how)
        dots = ax.collections[-1]
        found = dots.get_offsets().tolist(), dots.get_sizes().tolist(), [str(dots.get_array())]
        found += sorted(text.get_text() for text in ax.texts), [text.xy for text in ax.texts]
        return found

    wanted = drawn(coordinates=places, sizes=x, colours=x, labels=[f"t{i}" for i in x])
    texts = series.map("t{}".format)
    assert drawn(coordinates=frame, sizes=series, colours=series, labels=texts) == wanted
    assert drawn(coordinates=frame, sizes=dict(series), colours=series, labels=dict(texts)) == wanted


def test_profiles_that_were_collapsed():
    """A value for each profile or for each vertex, by name, in any order."""
    profiles = [[1, 2], [1, 2], [3, 4], [1, 2], [5, 4]]
    graph = Graph.from_profiles(profiles, names=list("abcde"), collapse=True)
    forest = boruvka.minimum_spanning_forest(graph)
    of_profiles = pandas.DataFrame({"year": [2000, 2001, 2002, 2003, 2004]}, index=list("abcde"))
    for rows in (list("edcba"), list("bcade")):
        assert forest.to_nodes(of_profiles.loc[rows])["year"].tolist() == [2000, 2002, 2004]
        assert in_vertex_order(graph, "values", of_profiles.loc[rows, "year"]).tolist() == [2000, 2002, 2004]
    assert forest.to_nodes(of_profiles.loc[list("eca")])["year"].tolist() == [2000, 2002, 2004]
    with pytest.raises(GraphError, match="has the label 'z', which is unknown"):
        forest.to_nodes(of_profiles.rename({"b": "z"}))


@given(st.permutations(range(4)))
def test_masks_of_edges(order):
    frame = pandas.DataFrame(
        {"from": list("abca"), "to": list("bcad"), "km": [1, 2, 3, 9]}, index=list("wxyz")
    )
    graph = boruvka.as_graph(frame, weight="km")
    mask = pandas.Series([True, False, False, False], index=list("wxyz")).iloc[list(order)]
    assert in_edge_order(graph, "excluded", mask).tolist() == [True, False, False, False]
    assert boruvka.minimum_spanning_forest(graph, excluded=mask).edges.tolist() == [1, 2, 3]
    assert boruvka.minimum_spanning_forest(graph).update(removed=mask).edges.tolist() == [1, 2, 3]
    with pytest.raises(GraphError, match="excluded has the label 'q', which is unknown"):
        boruvka.minimum_spanning_forest(graph, excluded=mask.rename({"w": "q"}))
    with pytest.raises(GraphError, match="excluded: the edge 'w' has no value"):
        boruvka.minimum_spanning_forest(graph, excluded=mask.drop("w"))
    plain = Graph(3, [0, 1, 2], [1, 2, 0], [1, 2, 3])
    by_number = pandas.Series([False, False, True], index=[2, 1, 0])
    assert boruvka.minimum_spanning_forest(plain, excluded=by_number).edges.tolist() == [1, 2]
