"""Allelic profiles: distances by the rules of GrapeTree, equal profiles as one vertex, and their tables."""

import itertools
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from boruvka import Graph, GraphError, OptionError, minimum_spanning_forest
from tests.oracles import kruskal
from tests.strategies import graphs

tables = hnp.arrays(np.int64, st.tuples(st.integers(1, 9), st.integers(1, 6)), elements=st.integers(0, 3))


def grapetree(a, b, missing):
    """Compare two profiles as GrapeTree's symmetric distances do; 0 is a missing allele."""
    if missing == "differ":  # --missing 2
        return int((a != b).sum())
    both = (a > 0) & (b > 0)
    count = int(((a != b) & both).sum())
    if missing == "ignore":  # --missing 3
        return count
    return (
        count * a.size / both.sum() if both.any() else a.size
    )  # --missing 0, which does not define the last


@pytest.mark.parametrize("missing", ["ignore", "scale", "differ"])
@given(table=tables)
def test_distances_are_those_of_grapetree(missing, table):
    graph = Graph.from_profiles(table, missing=missing)
    expected = [
        grapetree(table[i], table[j], missing) for i, j in itertools.combinations(range(len(table)), 2)
    ]
    assert graph.w.tolist() == pytest.approx(expected)
    edges = minimum_spanning_forest(graph).edges.tolist()
    assert edges == kruskal(graph.n, graph.u, graph.v, graph.w)


@given(table=tables)
def test_texts_are_alleles_as_numbers_are(table):
    texts = np.where(
        table > 0, np.char.add("a", table.astype(str)), np.array(["", "-", "?", "NA"])[table % 4]
    )
    for profiles in texts.tolist(), pd.DataFrame(texts), pl.DataFrame(texts.tolist(), orient="row"):
        graph = Graph.from_profiles(profiles, missing="ignore")
        assert graph.w.tolist() == Graph.from_profiles(table, missing="ignore").w.tolist()


@given(table=tables)
def test_equal_profiles_are_one_vertex(table):
    """The forest of the distinct profiles is lighter by nothing: edges between equal ones weigh 0."""
    graph = Graph.from_profiles(table, missing="differ", collapse=True)
    rows = list(map(tuple, table.tolist()))
    distinct = list(dict.fromkeys(rows))
    assert graph.n == len(distinct)
    assert [distinct[vertex] for vertex in graph.vertex_of] == rows
    assert graph.sizes.tolist() == [rows.count(row) for row in distinct]
    assert [rows[first] for first in graph.first_rows] == distinct
    assert graph.names is None or graph.names.tolist() == graph.first_rows.tolist()
    whole = Graph.from_profiles(table, missing="differ")
    assert minimum_spanning_forest(graph).weight == minimum_spanning_forest(whole).weight


def test_missing_alleles_are_an_error():
    frame = pd.DataFrame({"arcC": [1, 2, 3], "aroE": [1, np.nan, 4], "glpF": ["a", "-", "?"]})
    with pytest.raises(
        GraphError,
        match="profile 1 has no allele at 'aroE'; 3 are missing, in 2 profiles; missing='ignore' compares",
    ):
        Graph.from_profiles(frame)
    with pytest.raises(OptionError, match="missing must be one of error, ignore, scale, differ; got 'drop'"):
        Graph.from_profiles(frame, missing="drop")
    with pytest.raises(GraphError, match="a row for each strain"):
        Graph.from_profiles([[1, 2], [1]])


def test_names():
    frame = pd.DataFrame({"a": [1, 1, 2], "b": [5, 5, 5]}, index=["x", "y", "z"])
    assert Graph.from_profiles(frame).names.tolist() == ["x", "y", "z"]
    assert Graph.from_profiles(frame, collapse=True).names.tolist() == ["x", "z"]
    assert Graph.from_profiles(frame.to_numpy()).names is None
    assert Graph.from_profiles(frame.to_numpy(), names="xyz").names.tolist() == ["x", "y", "z"]
    with pytest.raises(GraphError, match="one name for each of the 3 profiles, got 2"):
        Graph.from_profiles(frame, names="xy")


def test_nodes_and_newick():
    graph = Graph.from_profiles(
        [[1, 2, 3], [1, 2, 3], [1, 0, 7], [4, 5, 6]],
        missing="ignore",
        collapse=True,
        names=["a b", "b", "c'", "d"],
    )
    forest = minimum_spanning_forest(graph)
    nodes = forest.to_nodes({"year": [2001, 2002, 2003, 2004], "size": list("wxyz")})
    assert nodes.to_dict("list") == {
        "vertex": ["a b", "c'", "d"],
        "component": [0, 0, 0],
        "degree": [1, 2, 1],
        "size": [2, 1, 1],
        "year": [2001, 2003, 2004],
        "size_given": ["w", "y", "z"],
    }
    assert forest.to_newick() == "(('a b':1)'c''':2)d;\n"
    with pytest.raises(
        GraphError, match="metadata must have a value for each of the 3 vertices, or of the 4 profiles, got 2"
    ):
        forest.to_nodes({"year": [1, 2]})


def edges_of_newick(text):
    """Read trees whose labels are numbers: the set of (vertices, length) of edges, and all vertices."""
    edges, vertices, levels, previous = set(), [], [[]], ""
    for token in re.findall(r"[(),;]|[^(),;\s]+", text):
        if token == "(":
            levels.append([])
        elif token not in "),;":
            label, _, length = token.partition(":")
            vertices.append(int(label))
            if previous == ")":
                edges |= {(frozenset((int(label), child)), weight) for child, weight in levels.pop()}
            levels[-1].append((int(label), length))
        previous = token
    return edges, sorted(vertices)


@given(graph=graphs(max_vertices=9, max_edges=20, dtypes=[np.dtype(np.int64)]))
def test_newick_holds_all_edges(graph):
    forest = minimum_spanning_forest(graph)
    ends = zip(forest.u.tolist(), forest.v.tolist(), forest.w.tolist(), strict=True)
    expected = {(frozenset((u, v)), str(w)) for u, v, w in ends}
    assert edges_of_newick(forest.to_newick()) == (expected, list(range(graph.n)))
    assert forest.to_newick().count(";\n") == forest.n_components
    assert forest.to_nodes()["component"].tolist() == forest.labels.tolist()


def test_newick_of_a_long_path():
    n = 50_000
    forest = minimum_spanning_forest((np.arange(n - 1), np.arange(1, n), np.ones(n - 1, int)))
    text = forest.to_newick()
    assert text.count("(") == text.count(")")
    assert text.count(":1") == n - 1
