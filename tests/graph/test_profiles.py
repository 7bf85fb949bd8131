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

from boruvka import Graph, GraphError, GraphWarning, OptionError, minimum_spanning_forest
from boruvka.formats.points import read_profiles
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
    with pytest.raises(GraphError, match="metadata must have 4 rows, one for each vertex, got 3"):
        forest.to_nodes({"year": [1, 2, 3]})


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


MISSING = [0, -1, np.nan, None, "", "-", "?", "0", "-1", "0.0", "N", "NA", "nan", 0.5, "0.5"]
CODES = ["LNF", "NIPH", "NIPHEM", "ASM", "ALM", "PLOT3", "PLOT5", "LOTSC", "PAMA", "lnf"]
WRITTEN = [str, "{}.0".format, " {} ".format, "INF-{}".format, "*{}".format, "INF-*{}".format, "0{}".format]


@given(
    table=hnp.arrays(np.int64, st.tuples(st.integers(1, 7), st.integers(1, 5)), elements=st.integers(-1, 3)),
    data=st.data(),
)
def test_the_same_table_gives_the_same_graph(tmp_path_factory, table, data):
    """As a file, a frame of numbers, a frame of texts, arrays of both, and lists of mixtures."""
    expected = Graph.from_profiles(table, missing="ignore").w.tolist()
    loci = [f"locus{k}" for k in range(table.shape[1])]
    texts = np.array(
        [
            data.draw(st.sampled_from(WRITTEN))(x)
            if x > 0
            else data.draw(st.sampled_from(["-1", "0", "-", *CODES]))
            for x in table.ravel().tolist()
        ],
        object,
    ).reshape(table.shape)
    mixed = [
        [x if x > 0 else data.draw(st.sampled_from([*MISSING, *CODES])) for x in row]
        for row in table.tolist()
    ]
    folder = tmp_path_factory.mktemp("profiles")
    for name, frame in (
        ("numbers.csv", pd.DataFrame(table, columns=loci)),
        ("texts.csv", pd.DataFrame(texts, columns=loci)),
    ):
        frame.to_csv(folder / name, index=False)
    others = [
        *(read_profiles(folder / name)[0] for name in ("numbers.csv", "texts.csv")),
        *(table.astype(float), table.astype(str), table.astype(object), texts, texts.tolist(), mixed),
        *(
            pd.DataFrame(table),
            pd.DataFrame(table, dtype="Int64"),
            pd.DataFrame(texts),
            pd.DataFrame(mixed, dtype=object),
        ),
        *(pl.DataFrame(table), pl.DataFrame(texts.tolist(), orient="row"), pl.DataFrame(table).to_arrow()),
    ]
    for profiles in others:
        assert Graph.from_profiles(profiles, missing="ignore").w.tolist() == expected


def test_hashes_are_alleles():
    """Texts of digits and letters are no numbers, also where Python would read one."""
    column = [["1e5"], ["100000"], ["inf"], ["0x10"], ["a-1"], ["INF-x"], ["x"]]
    graph = Graph.from_profiles(column, missing="ignore")
    assert graph.w.sum() == 7 * 6 // 2 - 1


def test_columns_that_are_no_loci():
    frame = pd.DataFrame(
        {"#Name": list("abc"), "ST": [1, 2, 3], "st_id": [4, 5, 6], "L1": [1, 1, 2], "#note": [1, 1, 1]}
    )
    message = "columns that are no loci are left out: '#Name', 'ST', 'st_id', '#note'"
    for profiles in frame, pl.from_pandas(frame), pl.from_pandas(frame).to_arrow():
        with pytest.warns(GraphWarning, match=message) as caught:
            graph = Graph.from_profiles(profiles)
        assert caught[0].filename == __file__
        assert graph.w.tolist() == [0, 1, 1]
        assert graph.names.tolist() == list("abc")
    with pytest.warns(GraphWarning, match=message):
        assert Graph.from_profiles(frame, names="xyz").names.tolist() == list("xyz")
