"""Lists of Python numbers; and weights and errors that NetworkX and igraph have in common."""

import warnings

import igraph as ig
import networkx as nx
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import (
    GraphError,
    GraphTypeError,
    GraphWarning,
    OptionError,
    as_graph,
    minimum_spanning_arborescence,
)
from boruvka.interop import igraph, networkx
from boruvka.interop.python_values import columns_of

from .graphs import minimum_spanning_forest

LIMITS = [(1 << 10, 1 << 15), (1, 1), (2, 1), (1, 2)]


@pytest.fixture(params=LIMITS)
def _limits(request, monkeypatch):
    for name, limit in zip(("AT_ONCE", "RANGE"), request.param, strict=True):
        monkeypatch.setattr(f"boruvka.interop.python_values.{name}", limit)


@pytest.mark.parametrize(
    "rows",
    [
        [(0, 1, 2.5), (-(2**31), 2**31 - 1, float("inf"))],
        [(1, 2)],
        [(1, 2, 3)] * 3,
        [(0.5,), (1.5,)],
        [1.5, -0.0],
        [7],
    ],
)
@pytest.mark.usefixtures("_limits")
def test_columns(rows):
    wanted = list(zip(*rows, strict=True)) if isinstance(rows[0], tuple) else [rows]
    for columns in columns_of(rows), columns_of(iter(rows)):
        assert [column.tolist() for column in columns] == [list(column) for column in wanted]
        assert all(column.dtype == np.array(column.tolist()).dtype for column in columns)


UNLIKE = [
    *([], [None], ["a"], [True], [1, 2.5], [1.5, None], [2**31], [1, True], [np.float64(1.5)]),
    *([1.5, np.float64(1.5)], [(1, 2), (1, 2, 3)], [(1, 2), [1, 2]], [[1, 2], [1, 2]]),
    *([(1, 2.5), (2.5, 1)], [(1, "a")], [(1, 2), (1, object())], [(1, (2,))]),
]


@pytest.mark.parametrize("rows", UNLIKE, ids=range(len(UNLIKE)))
@pytest.mark.usefixtures("_limits")
def test_rows_that_are_not_alike(rows):
    assert columns_of(rows) is None
    assert columns_of(iter(rows)) is None


def test_many_rows():
    rows = [(i, i * i % 1000, i / 3) for i in range(100_000)]
    columns = columns_of(rows)
    assert [column.tolist() for column in columns] == [list(column) for column in zip(*rows, strict=True)]
    rows[70_000] = (1, 2.5, 3)
    assert columns_of(rows) is None


LONG = np.array([np.finfo(np.longdouble).max, np.nextafter(np.longdouble(1), 2)])


@pytest.mark.parametrize(
    ("w", "expected"),
    [
        (np.array([0, 3], np.int8), [0, 3]),
        (np.array([2**64 - 1, 2**53 + 1], np.uint64), [2**64 - 1, 2**53 + 1]),
        (np.array([0, 1.5], np.float16), [0.0, 1.5]),
        (LONG, [float("inf"), float(LONG[1])]),
    ],
)
def test_attributes_are_numbers_of_python(w, expected):
    forest = minimum_spanning_forest(([0, 1], [1, 2], w))
    ours = forest.to_networkx().edges(data=True)
    theirs = [(e.source, e.target, e.attributes()) for e in forest.to_igraph().es]
    for edges in list(ours), theirs:
        found = [attributes["weight"] for _, _, attributes in edges]
        assert found == expected
        assert {type(x) for x in found} == {type(expected[0])}
        assert [(u, v, attributes["edge"]) for u, v, attributes in edges] == [(0, 1, 0), (1, 2, 1)]
        assert {type(x) for u, v, attributes in edges for x in (u, v, attributes["edge"])} == {int}


def graphs_of(weights):
    """Make a path in both libraries; None means that there is no weight."""
    held = [{} if w is None else {"weight": w} for w in weights]
    g = nx.Graph([(k, k + 1, attributes) for k, attributes in enumerate(held)])
    h = ig.Graph([(k, k + 1) for k in range(len(weights))], edge_attrs={"weight": list(weights)})
    return g, h


@pytest.mark.parametrize("weights", [[None, None], [5, None], [None, 5]])
def test_a_missing_weight_is_an_error_unless_there_is_a_default(weights):
    missing = weights.index(None)
    for g in graphs_of(weights):
        message = rf"^edge {missing} \({missing}, {missing + 1}\) has no attribute 'weight'; boruvka.as_graph"
        with pytest.raises(GraphError, match=message):
            as_graph(g)
        assert as_graph(g, default=1).w.tolist() == [1 if w is None else w for w in weights]


NO_WEIGHTS = None, float("nan"), "NA", "-", "", r"\N", pd.NA
WEIGHTS = st.one_of(st.integers(-9, 9), st.floats(-9, 9), st.sampled_from(NO_WEIGHTS))


@given(st.lists(WEIGHTS, min_size=1, max_size=6))
def test_edges_without_a_weight_are_left_out_or_have_the_default(weights):
    is_known = [isinstance(w, int | float) and w == w for w in weights]
    for g in graphs_of(weights):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            graph = as_graph(g, missing="drop")
        assert [str(one.message).split(":")[0] for one in caught] == (
            [] if all(is_known) else [f"{is_known.count(False)} of {len(weights)} edges are left out"]
        )
        assert graph.w.tolist() == [w for w, known in zip(weights, is_known, strict=True) if known]
        assert graph.u.tolist() == [k for k, known in enumerate(is_known) if known]
        assert graph.v.tolist() == [k + 1 for k, known in enumerate(is_known) if known]
        assert graph.n == len(weights) + 1
        graph = as_graph(g, default=0.5)
        assert graph.w.tolist() == [w if known else 0.5 for w, known in zip(weights, is_known, strict=True)]
        if not all(is_known):
            with pytest.raises(GraphError, match=r"default= gives a weight.*missing='drop' leaves them out"):
                as_graph(g)


def test_missing_is_checked():
    for g in graphs_of([1, 2]):
        with pytest.raises(OptionError, match="missing"):
            as_graph(g, missing="ignore")
        with pytest.raises(OptionError, match="default"):
            as_graph(g, default=float("nan"))


@pytest.mark.parametrize("other", [0.5, -1])
def test_integers_that_another_weight_would_round_are_an_error(other):
    for g in graphs_of([other, 2**63 + 1]):
        with pytest.raises(GraphError, match=f"exactly, as edge 1 has the weight {2**63 + 1};"):
            as_graph(g)
    for g in graphs_of([other, 2**53]):
        assert as_graph(g).w.tolist() == [other, 2**53]


@pytest.mark.parametrize("module", [networkx, igraph])
def test_something_else_is_an_error(module):
    with pytest.raises(GraphTypeError, match=r"expected an? (NetworkX|igraph) graph, got list"):
        module.graph_from([(0, 1)])


@pytest.mark.parametrize(
    "g", [nx.DiGraph([(0, 1)]), nx.MultiDiGraph([(0, 1)]), ig.Graph([(0, 1)], directed=True)]
)
def test_the_arcs_of_a_directed_graph_are_edges_with_a_warning(g):
    with pytest.warns(GraphWarning, match=r"directed.*as_graph\(g, directed=True\) does so without"):
        graph = as_graph(g, default=3)
    assert (graph.u.tolist(), graph.v.tolist(), graph.w.tolist()) == ([0], [1], [3])


def test_texts_that_hold_numbers_are_weights():
    for g in graphs_of(["7", "2.5"]):
        assert as_graph(g).w.tolist() == [7, 2.5]
    for g in graphs_of(["7", "-2"]):
        assert as_graph(g).w.dtype == np.int64


@pytest.mark.parametrize("weights", [[None, None], [5, None]])
def test_a_missing_weight_of_a_directed_graph_is_an_error_that_says_what_to_write(weights):
    g, h = graphs_of(weights)
    for directed in nx.DiGraph(g.edges(data=True)), nx.MultiDiGraph(g.edges(data=True)), _directed(h):
        with pytest.raises(GraphError, match=r"as_graph\(g, directed=True, weight=\.\.\.\).*default= gives"):
            minimum_spanning_arborescence(directed)
        graph = as_graph(directed, directed=True, default=1)
        assert minimum_spanning_arborescence(graph).weight == sum(1 if w is None else w for w in weights)


def _directed(h):
    return ig.Graph(h.get_edgelist(), directed=True, edge_attrs={"weight": h.es["weight"]})


def test_texts_of_hexadecimal_numbers_begin_with_0x():
    for g in graphs_of(["0x1.8p+1", "-0x10"]):
        assert as_graph(g).w.tolist() == [3, -16]
    for text in "b", "deadbeef", "1_0", "٣", "0x", "1,5":
        for g in graphs_of([text, "1"]):
            with pytest.raises(GraphTypeError, match=f"weight of edge 0 is '{text}'"):
                as_graph(g)
    for text in "1e999", "-1e999", "0x1p9999", "9" * 500:
        for g in graphs_of([text, "1"]):
            with pytest.raises(GraphError, match="is beyond the range of float64"):
                as_graph(g)
