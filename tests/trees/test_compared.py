"""Comparisons of results, with sets of rows of the frame as the oracle."""

import numpy as np
import pandas
import pytest
from scipy import sparse

import boruvka
from boruvka import as_graph
from boruvka.errors import GraphError, GraphTypeError, GraphWarning
from boruvka.trees.selected_edges import SelectedEdges

ROADS = pandas.DataFrame(
    {
        "source": ["a", "a", "b", "c", "a", "d"],
        "target": ["b", "b", "c", "d", "d", "e"],
        "weight": [1, 3, 2, 5, 6, 1],
    }
)


def assert_is_comparison(found, first, second, of_first, of_second):
    """``of_first`` and ``of_second`` are the ids of the edges of both, in their order."""
    plans = {"both": {*of_first} & {*of_second}}
    plans |= {"only first": {*of_first} - {*of_second}, "only second": {*of_second} - {*of_first}}
    assert found["plan"].value_counts().to_dict() == {x: len(ids) for x, ids in plans.items() if ids}
    ids = [*of_first, *(x for x in of_second if x not in {*of_first})]
    assert [x in plans[plan] for x, plan in zip(ids, found["plan"], strict=True)] == [True] * len(ids)
    assert found["weight_first"].sum() == pytest.approx(first.weight)
    assert found["weight_second"].sum() == pytest.approx(second.weight)


@pytest.mark.parametrize("excluded", [[], [0], [2, 5]])
@pytest.mark.parametrize("is_new", [False, True])
def test_tables(excluded, is_new):
    """The edges of another graph without some rows, or of the same graph."""
    first = boruvka.minimum_spanning_forest(ROADS)
    rest = ROADS.drop(excluded)
    second = boruvka.minimum_spanning_forest(
        *[rest] if is_new else [ROADS], excluded=[] if is_new else excluded
    )
    rows = rest.index[second.edges].tolist() if is_new else second.edges.tolist()
    renamed = boruvka.minimum_spanning_forest(rest.rename(columns={"source": "from", "target": "to"}))
    assert first.compare(renamed).columns.tolist() == first.compare(second).columns.tolist()
    assert_is_comparison(first.compare(second), first, second, first.edges.tolist(), rows)
    names = ROADS.iloc[first.edges][["source", "target"]].values.tolist()
    assert first.compare(second)[["source", "target"]].values.tolist()[: len(first)] == names


def test_other_weights_of_the_same_graph():
    graph = boruvka.as_graph(ROADS)
    first = boruvka.minimum_spanning_forest(graph)
    second = boruvka.minimum_spanning_forest(graph.with_weights([9, 9, 9, 1, 1, 1]))
    assert_is_comparison(first.compare(second), first, second, first.edges.tolist(), second.edges.tolist())


def test_entries_of_a_matrix_are_one_edge():
    """The lighter of the entries (0, 1) and (1, 0) is in the tree."""
    matrices = np.array([[0, 2, 3], [1, 0, 4], [9, 5, 0]]), np.array([[0, 1, 3], [2, 0, 4], [9, 5, 0]])
    first, second = (boruvka.minimum_spanning_forest(sparse.csr_array(each)) for each in matrices)
    assert first.edges.tolist() != second.edges.tolist()
    assert first.compare(second)["plan"].tolist() == ["both", "both"]


@pytest.mark.parametrize("kind", ["windows", "frames", "matrices", "points"])
def test_ends_decide_where_weights_differ(kind):
    """Edges are the same by their ends, except for parallel ones; the oracle is a set of pairs."""
    values = np.random.default_rng(0).normal(size=(60, 9))
    returns = pandas.DataFrame(values, columns=[*"ABCDEFGHI"])
    parts = [1 - rows.corr().abs() for rows in (returns[:30], returns[30:])]
    if kind == "windows":
        first, second = boruvka.rolling_forests(returns, 30, step=30)
    elif kind == "frames":  # whose names have other numbers
        lists = [[(u, v, part.loc[u, v]) for u in part for v in part if u < v] for part in parts]
        first, second = map(boruvka.minimum_spanning_forest, (lists[0], lists[1][::-1]))
    elif kind == "matrices":
        first, second = (boruvka.minimum_spanning_forest(sparse.csr_array(part)) for part in parts)
    else:
        points = values[:9, :2], values[:9, :2] + 0.3 * values[:9, 2:4]
        first, second = (boruvka.minimum_spanning_forest(boruvka.Graph.from_points(x)) for x in points)
    tables = (tree.to_pandas().iloc[:, 1:3].to_numpy() for tree in (first, second))
    pairs = [[frozenset(pair) for pair in table.tolist()] for table in tables]
    assert 0 < len({*pairs[0]} & {*pairs[1]}) < 8
    assert_is_comparison(first.compare(second), first, second, *pairs)


def test_opposite_arcs_are_two_edges():
    arcs = [("a", "b", 1), ("b", "a", 3)], [("a", "b", 1), ("b", "a", 4)]
    first, second = (boruvka.minimum_spanning_arborescence(each, root="b") for each in arcs)
    assert first.compare(second)["plan"].tolist() == ["both"]
    other = boruvka.minimum_spanning_arborescence(arcs[0], root="a")
    assert other.compare(second)["plan"].tolist() == ["only first", "only second"]


@pytest.mark.parametrize("crs", [None, 32633, 4326])
@pytest.mark.parametrize("options", [{}, {"rate": "cost"}])
def test_streets(crs, options):
    """Streets are left out; a street is double."""
    geopandas, shapely = pytest.importorskip("geopandas"), pytest.importorskip("shapely")
    rng = np.random.default_rng(0)
    ends = [((x, y), (x + a, y + 1 - a)) for x in range(4) for y in range(4) for a in (0, 1)]
    lines = [shapely.LineString(100 * np.array(each) + [458_000, 5_550_000]) for each in ends]
    lines.append(shapely.LineString([lines[0].coords[0], (458_020, 5_550_050), lines[0].coords[1]]))
    columns = {"id": range(len(lines)), "cost": rng.uniform(1, 2, len(lines)), "plan": "x"}
    streets = geopandas.GeoDataFrame(columns, geometry=lines)
    places = geopandas.GeoDataFrame(geometry=geopandas.points_from_xy([458_050, 458_350], [5_550_100] * 2))
    streets, places = (x if crs is None else x.set_crs(32633).to_crs(crs) for x in (streets, places))

    def tree(streets):
        return boruvka.steiner_tree(streets, attach=places, root=0, **options)

    first, rest = tree(streets), streets.drop([0, 3])
    second = tree(rest)
    found = first.compare(second)
    keys = ["id", "place"]
    of_both = [list(map(tuple, x.to_geopandas()[keys].fillna(-1).values)) for x in (first, second)]
    assert_is_comparison(found, first, second, *of_both)
    assert found.crs == streets.crs
    assert list(map(tuple, found[keys].fillna(-1).values))[: len(first)] == of_both[0]
    metres = found.length if crs is None else found.to_crs(32633).length
    weights = found["weight_first"].fillna(found["weight_second"]) if not options else found["length"]
    assert weights.to_numpy() == pytest.approx(metres.to_numpy(), rel=1e-3)
    assert set(found["plan_given"]) == {"x"}
    if crs is None:
        with pytest.raises(GraphError, match="only one plan has a coordinate reference system"):
            first.compare(SelectedEdges(as_graph(streets.set_crs(32633)), [0]))
    else:
        written = as_graph(second.to_geopandas().to_crs(3857), weight="weight")
        with pytest.warns(
            GraphWarning, match="the second plan is in WGS 84 / Pseudo-Mercator, and converted"
        ):
            converted = first.compare(SelectedEdges(written, range(written.m)))
        assert (converted["plan"].tolist(), converted.crs) == (found["plan"].tolist(), found.crs)
        assert converted.geom_equals_exact(found, 1e-6).all()
    other = SelectedEdges(as_graph(streets, **{} if options else {"rate": "cost"}), range(len(lines)))
    with pytest.warns(GraphWarning, match="weights of one plan are lengths, and those of the other are not"):
        first.compare(other)
    assert first.compare(first)["plan"].tolist() == ["both"] * len(first)


def test_what_cannot_be_compared():
    first = boruvka.minimum_spanning_forest(ROADS)
    with pytest.raises(GraphTypeError, match="expected a result of boruvka, such as a tree, got DataFrame"):
        first.compare(ROADS)
    with pytest.raises(GraphError, match="no vertex in common"):
        first.compare(boruvka.minimum_spanning_forest([("x", "y", 1)]))
