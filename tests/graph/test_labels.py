"""Values with labels are those of the array in the order of the vertices, in every container and argument."""

import io
import itertools
import random
import re
import warnings
from contextlib import nullcontext

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import minimum_spanning_tree

import boruvka
from boruvka import Forest, Graph, GraphError, GraphTypeError, GraphWarning, minimum_spanning_forest
from boruvka.graph.labels import in_order_of_rows, values_of_vertices
from boruvka.trees.plotting.coordinates import place_vertices
from boruvka.trees.plotting.rows import sizes_of_vertices

pl = pytest.importorskip("polars")

LABELS = [
    ["Brno", "Praha", "Zlín", "Ostrava", "Plzeň"],
    [30, 10, 50, 20, 40],
    [3, 0, 4, 1, 2],
    [("a", 1), ("b", 2), ("a", 2), ("b", 1), ("c", 0)],
    ["1", "2", "3", "10", "20"],
]
VALUES = [5, 3, 8, 1, 9]
N = len(VALUES)
EDGES = [0, 1, 2, 3], [1, 2, 3, 4], [2, 9, 4, 6]


def tree(labels):
    """A path whose vertices have these names, or none."""
    return minimum_spanning_forest(Graph.from_edges(*EDGES, names=labels))


def index_of(labels):
    return pd.MultiIndex.from_tuples(labels) if isinstance(labels[0], tuple) else pd.Index(labels)


CONTAINERS = {
    "dict": lambda labels, values: dict(zip(labels, values, strict=True)),
    "series": lambda labels, values: pd.Series(values, index_of(labels)),
    "categorical": lambda labels, values: pd.Series(values, pd.CategoricalIndex(labels)),
    "objects": lambda labels, values: pd.Series(values, pd.Index(labels, dtype=object, tupleize_cols=False)),
    "nullable": lambda labels, values: pd.Series(values, index_of(labels), dtype="Int64"),
    "arrow series": lambda labels, values: pd.Series(
        values, pd.Index(labels, dtype="string[pyarrow]"), dtype="int64[pyarrow]"
    ),
    "frame": lambda labels, values: pd.DataFrame({"x": values}, index_of(labels)),
    "frame with ids": lambda labels, values: pd.DataFrame({"id": labels, "x": values}),
    "polars": lambda labels, values: pl.DataFrame({"x": values, "Vertex": labels}),
    "lazy": lambda labels, values: pl.DataFrame({"name": labels, "x": values}).lazy(),
    "arrow": lambda labels, values: pa.table({"node": labels, "x": values}),
}
WITHOUT_TUPLES = ("categorical", "frame with ids", "polars", "lazy", "arrow")


def contain(container, labels, values):
    return CONTAINERS[container](labels, values)


def holds(container, labels):
    """Return whether a container can have such labels."""
    first = 0 if labels is None else labels[0]
    return (container != "arrow series" or isinstance(first, str)) and not (
        container in WITHOUT_TUPLES and isinstance(first, tuple)
    )


def columns_of(axes):
    dots = [found for found in axes.collections if found.get_array() is not None][-1]
    return dots.get_array().tolist(), dots.get_sizes().tolist()


ARGUMENTS = {
    "colors": lambda forest, x: columns_of(forest.plot(colors=x, labels=False)),
    "sizes": lambda forest, x: columns_of(forest.plot(sizes=x, colors=VALUES, labels=False)),
    "labels": lambda forest, x: [text.get_text() for text in forest.plot(labels=x).texts],
    "regions": lambda forest, x: forest.regions(3, x).tolist(),
    "amounts": lambda forest, x: forest.regions(2, VALUES, amounts=x, min_amount=9).tolist(),
    "from_root": lambda forest, x: forest.rooted().from_root(x).tolist(),
    "subtree": lambda forest, x: forest.rooted().subtree(x).tolist(),
    "metadata": lambda forest, x: nodes(forest, x),
    "a column of metadata": lambda forest, x: forest.to_nodes({"x": x})["x"].tolist(),
    "names": lambda forest, x: forest.graph.with_names(x).names.tolist(),
}
PARTIAL = "colors", "sizes", "labels", "metadata", "a column of metadata"
"""Arguments for which a vertex may have no value."""
NOT_TAKEN = [
    ("metadata", "dict"),  # a mapping of columns
    *itertools.product(["a column of metadata", "names"], ["frame", "polars"]),
]


def nodes(forest, x):
    return forest.to_nodes({"x": x} if isinstance(x, list) else x).iloc[:, -1].tolist()


@pytest.mark.parametrize(
    ("container", "labels"),
    [pair for pair in itertools.product(CONTAINERS, [*LABELS, None]) if holds(*pair)],
    ids=str,
)
def test_containers(container, labels):
    """Any order of rows; a label that is missing, unknown or there twice is named."""
    forest, shuffle = tree(labels), random.Random(1)
    labels = labels or list(range(N))
    unknown = {str: "Nowhere", int: 77, tuple: ("z", 9)}[type(labels[0])]
    for _ in range(8):
        order = shuffle.sample(range(N), N)
        rows = [labels[i] for i in order], [VALUES[i] for i in order]
        found = values_of_vertices(forest.graph, "x", contain(container, *rows))
        assert found.tolist() == VALUES, order
        without = [row[:-1] for row in rows]
        with pytest.raises(GraphError, match=f"no value for the vertex {re.escape(repr(rows[0][-1]))}"):
            values_of_vertices(forest.graph, "x", contain(container, *without))
        more, other = ([*rows[0], unknown], [*rows[1], 0]), ([*rows[0][:-1], unknown], rows[1])
        problem = f"has {re.escape(repr(unknown))}, which is no vertex"
        if forest.graph.has_names:
            with pytest.warns(GraphWarning, match=f"x: 1 of 6 rows are left out: .* {problem}"):
                found = values_of_vertices(forest.graph, "x", contain(container, *more))
            assert found.tolist() == VALUES
            with pytest.warns(GraphWarning) as said:
                found = values_of_vertices(forest.graph, "x", contain(container, *other), is_partial=True)
            assert [str(found[i]) for i in order[:-1]] == [str(float(x)) for x in rows[1][:-1]]
            assert np.isnan(found[order[-1]])
            assert "1 of 5 names have no row" in str(said[1].message)
        else:  # numbers may be counted from 1
            with pytest.raises(GraphError, match=problem):
                values_of_vertices(forest.graph, "x", contain(container, *more))
        with pytest.raises(GraphError, match=problem):
            values_of_vertices(forest.graph, "x", contain(container, *other))
        if container != "dict":
            twice = [*rows[0][:-1], rows[0][0]], rows[1]
            with pytest.raises(GraphError, match=f"has the vertex {re.escape(repr(rows[0][0]))} twice"):
                values_of_vertices(forest.graph, "x", contain(container, *twice))


@pytest.mark.parametrize(
    ("argument", "container"),
    [
        pair
        for pair in itertools.product(ARGUMENTS, ["dict", "series", "frame", "polars"])
        if pair not in NOT_TAKEN
    ],
)
def test_arguments(argument, container):
    """Every argument with a value for each vertex takes values by their labels."""
    call = ARGUMENTS[argument]
    for labels in [LABELS[0], LABELS[2], None]:
        forest, shuffle = tree(labels), random.Random(2)
        expected, known = call(forest, VALUES), labels or list(range(N))
        for order in [shuffle.sample(range(N), N) for _ in range(3)]:
            rows = [known[i] for i in order], [VALUES[i] for i in order]
            assert call(forest, contain(container, *rows)) == expected
        without = contain(container, known[1:], VALUES[1:])
        if argument in PARTIAL:
            with pytest.warns(GraphWarning, match=f"1 of 5 names have no row.* {re.escape(repr(known[0]))}"):
                call(forest, without)
        else:
            with pytest.raises(GraphError, match=re.escape(repr(known[0]))):
                call(forest, without)


def test_values_without_labels_are_taken_by_position():
    for labels in [None, *LABELS[:2]]:
        graph = tree(labels).graph
        for values in [
            VALUES,
            tuple(VALUES),
            np.array(VALUES),
            pl.Series(VALUES),
            pa.array(VALUES),
            pd.Series(VALUES),
            pd.Series(VALUES, index=np.arange(N)),
            pd.DataFrame({"x": VALUES}),
            pl.DataFrame({"x": VALUES}),
            pa.table({"x": VALUES}),
        ]:
            is_frame = isinstance(values, pd.Series | pd.DataFrame | pl.DataFrame | pa.Table)
            is_doubtful = is_frame and labels is not None  # names are texts or integers
            with pytest.warns(GraphWarning, match="x: rows have no names") if is_doubtful else nullcontext():
                assert values_of_vertices(graph, "x", values).tolist() == VALUES
            with pytest.raises(GraphError, match="x must have a value for each of the 5 vertices, got 4"):
                values_of_vertices(graph, "x", values[:4])
    with pytest.raises(GraphError, match="got one"):
        values_of_vertices(graph, "x", 3)


@pytest.mark.filterwarnings("ignore:.*rows have no names of vertices")
def test_rows_of_a_result_have_the_order_of_vertices():
    """Columns of `to_nodes`, and rows beside the names of all vertices in their order, warn of nothing."""
    forest = tree(LABELS[0])
    nodes = forest.to_nodes().assign(x=VALUES)
    assert values_of_vertices(forest.graph, "x", nodes["x"]).tolist() == VALUES
    assert values_of_vertices(forest.graph, "x", nodes[["x"]]).tolist() == VALUES
    assert forest.to_nodes(pd.DataFrame({"Stop": LABELS[0], "x": VALUES}))["x"].tolist() == VALUES
    table = pd.DataFrame({"Name": LABELS[0][::-1], "x": VALUES[::-1]})
    with pytest.warns(GraphWarning, match=r"colors: rows have no .*frame.set_index\('Name'\)"):
        forest.plot(colors=table["x"])
    by_name = forest.plot(colors=table.set_index("Name")["x"])
    assert columns_of(by_name)[0] == columns_of(forest.plot(colors=VALUES))[0]


@pytest.mark.filterwarnings("ignore:.*rows have no names of vertices")
def test_columns_of_names():
    """A column of texts of which most are names in another order is an error, unless it is called id."""
    names, order = LABELS[0], [3, 1, 4, 0, 2]
    table = {"x": [VALUES[i] for i in order], "Stop": [names[i] for i in order], "kind": list("aabbc")}
    for name in "Praha", "Wien", names[order[0]]:
        table["Stop"][0] = name  # is there twice, is no vertex, is right
        for frame in pd.DataFrame(table), pl.DataFrame(table), pa.table(table), table:
            with pytest.raises(GraphError, match="the column 'Stop' has names of vertices"):
                tree(names).to_nodes(frame)
    named = pd.DataFrame(table).rename(columns={"Stop": "id"})
    for frame in named, pl.from_pandas(named):
        assert tree(names).to_nodes(frame)["x"].tolist() == VALUES
    sorted_ = pd.DataFrame(table).iloc[[order.index(i) for i in range(N)]].reset_index(drop=True)
    assert tree(names).to_nodes(sorted_)["x"].tolist() == VALUES
    neighbours = pl.DataFrame({"x": VALUES, "nearest": [names[0]] * 3 + [names[1]] * 2})
    assert tree(names).to_nodes(neighbours)["x"].tolist() == VALUES


@pytest.mark.filterwarnings("ignore:.*rows have no names of vertices")
def test_a_column_called_strain():
    """Names in a column that is called as one of names are found, if it has half of the names, each once."""
    names, order = LABELS[0], [3, 1, 4, 0, 2]
    table = {"x": [VALUES[i] for i in order], "Strain": [names[i] for i in order], "kind": list("aabbc")}
    for frame in pd.DataFrame(table), pl.DataFrame(table), pa.table(table), table:
        nodes = tree(names).to_nodes(frame)
        assert nodes["x"].tolist() == VALUES
        assert "Strain" not in nodes
    table["Strain"][0] = "Wien"
    with pytest.warns(GraphWarning) as said:
        found = tree(names).to_nodes(pd.DataFrame(table))["x"]
    assert "1 of 5 rows are left out: the column 'Strain' has 'Wien'" in str(said[0].message)
    assert "1 of 5 names have no row, the first is 'Ostrava': they have no value" in str(said[1].message)
    assert found.fillna(-1).tolist() == [-1 if names[k] == "Ostrava" else x for k, x in enumerate(VALUES)]
    table["Strain"][0] = "Praha"  # is there twice
    with pytest.raises(GraphError, match="the column 'Strain' has names of vertices"):
        tree(names).to_nodes(pd.DataFrame(table))
    runs = pd.DataFrame({"run": ["Brno", "b", "c", "d", "e"], "x": VALUES})  # one only looks like a name
    assert tree(names).to_nodes(runs)["x"].tolist() == VALUES


def test_names_of_files_of_strains():
    """In a column called strain, the index, and the keys of a mapping, whichever side has the endings."""
    strains, order = ["A1", "B", "C.2", "d e", "7"], [3, 1, 4, 0, 2]
    files = ["A1.fasta", "runs/B_contigs.fa", r"C:\runs\C.2.fna.gz", "d e.GBK", "7_assembly.FNA"]
    for names, rows in (files, strains), (strains, files), (files, ["A1", "B", "C.2", "d e", 7]):
        labels, values = [rows[i] for i in order], [VALUES[i] for i in order]
        column = pd.DataFrame({"Strain": labels, "x": values})
        for frame in column, column.set_index("Strain"), {"x": dict(zip(labels, values, strict=True))}:
            if 7 in labels and frame is column:
                continue  # the integer is not the name of a strain in a column of names
            with pytest.warns(GraphWarning, match="5 of 5 rows are matched by names without folders"):
                assert tree(names).to_nodes(frame)["x"].tolist() == VALUES
    in_order = pd.DataFrame({"sequence": strains, "x": VALUES})
    assert tree(files).to_nodes(in_order)["x"].tolist() == VALUES
    with pytest.raises(GraphError, match="the column 'sequence' has names of vertices, in another order"):
        tree(files).to_nodes(in_order[::-1].reset_index(drop=True))
    with pytest.raises(GraphError, match=r"has 'B', which may be the vertex 'B\.fa' or 'x/B\.fna'"):
        tree(["a", "B.fa", "x/B.fna", "c", "d"]).to_nodes(pd.DataFrame({"id": ["a", "B"], "x": [1, 2]}))


def test_an_id_that_has_few_names_beside_a_column_that_has_all():
    names = ["1", "2", "3", "10", "20"]
    frame = pd.DataFrame({"id": ["2", "1", "4", "5", "6"], "isolate": names[::-1], "x": VALUES})
    different = "'isolate' and the column 'id' name the vertices in different"
    with pytest.warns(GraphWarning), pytest.raises(GraphError, match=different):
        tree(names).to_nodes(frame)


def test_an_index_in_another_order_is_labels():
    """Also of numbers: a frame that was filtered or sorted keeps the numbers of its rows."""
    names = LABELS[0]
    frame = pd.DataFrame({"x": VALUES, "name": names})
    changed = frame.sort_values("x")
    with pytest.raises(GraphError, match=r"has 3, which is no vertex; .*order of the vertices, pass x.to_n"):
        values_of_vertices(tree(names).graph, "x", changed["x"])
    assert values_of_vertices(tree(None).graph, "x", changed["x"]).tolist() == VALUES
    assert values_of_vertices(tree(names).graph, "x", changed).tolist() == VALUES  # by the column of names
    with pytest.raises(GraphError, match="the column 'name' has 'Wien', which is no vertex"):
        values_of_vertices(tree(names).graph, "x", changed.replace("Brno", "Wien"))
    with pytest.raises(GraphError, match="the index has 3, which is no vertex"):
        values_of_vertices(tree(names).graph, "x", changed[["x"]])


@pytest.mark.parametrize(
    ("form", "code"),
    [
        ("{} US Equity", "x.split()[0]"),
        ("{}.N", "x.rsplit('.', 1)[0]"),
        ("NYSE:{}", "x.split(':')[-1]"),
    ],
)
def test_names_of_tickers_of_other_vendors(form, code):
    """The error has the code that renames them, which is run; of no other labels, and matching is exact."""
    names = ["BRK.B", "SZEW", "A", "GCHK"]
    graph = Graph.from_edges([0, 1, 2], [1, 2, 3], [1, 2, 3], names=names)
    sectors = pd.Series(range(4), [form.format(x) for x in names[::-1]])
    message = f"x: the index has '{form.format('GCHK')}', which is no vertex; x.rename(lambda x: {code}) has"
    with pytest.raises(GraphError, match="^" + re.escape(message)):
        values_of_vertices(graph, "x", sectors)
    renamed = sectors.rename(eval(f"lambda x: {code}"))
    assert values_of_vertices(graph, "x", renamed).tolist() == [3, 2, 1, 0]
    write = f"; write 'GCHK' in place of '{form.format('GCHK')}', and so in 4 rows"
    with pytest.raises(GraphError, match=re.escape(write)):
        values_of_vertices(graph, "x", sectors.to_dict())
    two = sectors.rename({form.format(x): x for x in names[::3]})
    if "rsplit" not in code:  # BRK.B is a name
        with (
            pytest.warns(GraphWarning, match="2 of 4 names have no row"),
            pytest.warns(
                GraphWarning, match="2 of 4 rows are left out: .*; " + re.escape(f"x.rename(lambda x: {code}")
            ),
        ):
            values_of_vertices(graph, "x", two, is_partial=True)
    for change in lambda x: x.replace("A", "SZEW"), lambda x: x[::-1]:  # one name twice, and no names
        with pytest.raises(GraphError, match=r"which is no vertex(?!.*rename)"):
            values_of_vertices(graph, "x", sectors.rename(change))


def test_numbers_that_may_be_names_or_rows():
    """Vertices are named 3, 0, 4, 1, 2; rows are numbered 0, 1, 2, 3, 4."""
    graph = tree(LABELS[2]).graph
    with pytest.raises(GraphError, match="the same numbers as names"):
        values_of_vertices(graph, "x", pd.Series(VALUES))
    by_name = pd.Series(VALUES, index=[0, 1, 2, 3, 4])
    assert values_of_vertices(graph, "x", by_name).tolist() == [VALUES[name] for name in LABELS[2]]
    table = pd.DataFrame({"x": VALUES, "id": LABELS[2]})
    assert values_of_vertices(graph, "x", table).tolist() == VALUES
    with pytest.raises(
        GraphError, match="the index and the column 'id' name the vertices in different orders"
    ):
        values_of_vertices(graph, "x", table.set_index(np.array([0, 1, 2, 4, 3])))


@pytest.mark.parametrize(
    ("names", "labels", "message"),
    [
        (["1", "2"], [1, 2], "has 1, which is no vertex, and there is '1', which is a string"),
        ([1, 2], ["1", "2"], "has '1', which is no vertex, and there is 1, which is not a string"),
        ([1, 2], [True, 2], "has True, which is no vertex"),
        (None, [False, 1], "has False, which is no vertex"),
        (None, ["0", "1"], "has '0', which is no vertex; they are numbers from 0 to 1"),
        (None, [0, -1], "has -1, which is no vertex"),
        (None, [0, 0.5], "has 0.5, which is no vertex"),
        (["a", "b"], ["a", np.nan], "has nan, which is no vertex"),
        (["a", "b"], ["a", None], "has None, which is no vertex"),
        (["a", "bcd"], ["a", "bce"], "has 'bce', which is no vertex; is it 'bcd'?"),
    ],
)
def test_labels_of_another_type(names, labels, message):
    graph = Graph.from_edges([0], [1], [1], names=names)
    for values in dict(zip(labels, [1, 2], strict=True)), pd.Series([1, 2], pd.Index(labels, dtype=object)):
        with pytest.raises(GraphError, match=re.escape(message)):
            values_of_vertices(graph, "x", values)
    assert values_of_vertices(graph, "x", {1.0: 5, 0.0: 4} if names is None else [4, 5]).tolist() == [4, 5]


def test_column_of_the_names():
    """A column with the name of that which held the names is matched, too."""
    places = pd.DataFrame({"x": [1, 3, 7], "y": [2, 4, 1]}, index=pd.Index(["u", "b", "k"], name="station"))
    table = pl.DataFrame({"station": ["k", "u", "b"], "rain": [3, 1, 2]})
    by_index = Graph.from_points(places)
    by_series = Graph.from_points(places.to_numpy(), names=places.reset_index()["station"])
    for graph in by_index, by_series, by_index.with_coordinates(places):
        assert minimum_spanning_forest(graph).to_nodes(table)["rain"].tolist() == [1, 2, 3]


@pytest.mark.filterwarnings("ignore:.*holds the names of strains")
def test_column_of_the_names_of_profiles():
    for name in "Isolate", "#Strain":
        profiles = pl.DataFrame({name: ["a", "b", "c"], "L1": [1, 1, 2]})
        table = pl.DataFrame({name: ["c", "a", "b"], "rain": [3, 1, 2]})
        for frame in profiles, profiles.to_pandas(), profiles.to_arrow():
            forest = minimum_spanning_forest(Graph.from_profiles(frame))
            assert forest.to_nodes(table)["rain"].tolist() == [1, 2, 3]


def test_texts_are_no_numbers_of_vertices():
    """Vertices without names: a column of texts is not of their ids, and rows are taken in their order."""
    forest = tree(None)
    table = pl.DataFrame({"name": LABELS[0], "x": VALUES})
    assert forest.to_nodes(table)["x"].tolist() == VALUES


@pytest.mark.filterwarnings("ignore:.*rows have no names of vertices")
def test_collapsed_profiles():
    """A value for each profile, or for each vertex, by label or by position."""
    names = ["p", "q", "r", "s", "t"]
    graph = Graph.from_profiles([[1, 2], [1, 2], [3, 4], [1, 2], [5, 6]], names=names, collapse=True)
    assert graph.names.tolist() == ["p", "r", "t"]
    shuffle = random.Random(3)
    for container in CONTAINERS:
        for order in [shuffle.sample(range(5), 5) for _ in range(4)]:
            values = contain(container, [names[i] for i in order], [VALUES[i] for i in order])
            assert values_of_vertices(graph, "x", values).tolist() == [5, 8, 9]
            of_vertices = [i for i in order if i in (0, 2, 4)]
            values = contain(container, [names[i] for i in of_vertices], [VALUES[i] for i in of_vertices])
            assert values_of_vertices(graph, "x", values).tolist() == [5, 8, 9]
    for values in [1, 2, 3], np.array([1, 2, 3]), pd.Series([1, 2, 3]):
        assert values_of_vertices(graph, "x", values).tolist() == [1, 2, 3]
    assert values_of_vertices(graph, "x", pd.Series(VALUES)).tolist() == [5, 8, 9]
    assert values_of_vertices(graph, "x", {"p": 1, "q": 2, "r": 3, "t": 5}).tolist() == [1, 3, 5]
    with pytest.raises(GraphError, match="x has no value for the profile 'r'"):
        values_of_vertices(graph, "x", {"p": 1, "q": 2, "s": 3, "t": 5})
    with pytest.warns(GraphWarning, match="x: 1 of 5 rows are left out: .* 'z', which is no profile"):
        assert values_of_vertices(graph, "x", {"p": 1, "q": 2, "r": 3, "t": 5, "z": 6}).tolist() == [1, 3, 5]
    renamed = graph.with_names("abc")
    assert values_of_vertices(renamed, "x", {"c": 3, "a": 1, "b": 2}).tolist() == [1, 2, 3]
    with pytest.raises(GraphError, match="has 'p', which is no vertex"):
        values_of_vertices(renamed, "x", pd.Series(VALUES, names))
    assert minimum_spanning_forest(graph).to_nodes({"x": VALUES})["x"].tolist() == ["5; 3; 1", "8", "9"]


def test_coordinates():
    names, points = LABELS[0], np.column_stack([VALUES, np.arange(N)]).astype(float)
    forest = tree(names)
    frame = pd.DataFrame(points, columns=["x", "y"], index=names)[["y", "x"]].sample(frac=1, random_state=1)
    ids = frame.reset_index(names="id")
    for coordinates in frame, ids, pl.from_pandas(ids), pa.Table.from_pandas(ids, preserve_index=False):
        assert place_vertices(forest, coordinates).points.tolist() == points.tolist()
        assert forest.graph.with_coordinates(coordinates).coordinates.tolist() == points.tolist()
    pairs = pd.Series([tuple(point) for point in points.tolist()], index=names).sample(frac=1, random_state=2)
    assert place_vertices(forest, pairs).points.tolist() == points.tolist()
    degrees = frame.rename(columns={"x": "lon", "y": "lat"})
    for system, aspect in (None, False), ("lonlat", False), ("latlon", False), ("xy", True):
        placed = place_vertices(forest, degrees, system)
        assert placed.points.tolist() == points.tolist()
        assert (placed.aspect == 1) == aspect
    assert forest.graph.with_coordinates(degrees).system == "lonlat"
    with pytest.raises(GraphError, match=r"1 vertices .* the first is 'Brno'"):
        place_vertices(forest, frame.drop(index="Brno"))
    with pytest.raises(GraphError, match="coordinates has no value for the vertex 'Brno'"):
        forest.graph.with_coordinates(frame.drop(index="Brno"))
    more = pd.concat([frame, frame.iloc[:1].rename(index={frame.index[0]: "Paris"})])
    with pytest.warns(GraphWarning, match="1 of 6 rows are left out: the index has 'Paris'"):
        assert place_vertices(forest, more).points.tolist() == points.tolist()
    with pytest.warns(GraphWarning), pytest.raises(GraphError, match=r"1 vertices .* the first is 'Brno'"):
        place_vertices(forest, frame.rename(index={"Brno": "Paris"}))


@pytest.mark.filterwarnings("ignore:.*rows have no names of vertices")
def test_metadata():
    forest = tree(LABELS[0])
    order = [3, 1, 4, 0, 2]
    shuffled = pd.Series([VALUES[i] for i in order], [LABELS[0][i] for i in order], name="x")
    mixed = {"y": VALUES, "x": shuffled, "z": dict(shuffled), "u": pd.Series(list("abcde"))}
    nodes = forest.to_nodes(mixed)
    assert list(nodes)[-4:] == ["y", "x", "z", "u"]
    assert nodes[["y", "x", "z"]].to_numpy().tolist() == [[v, v, v] for v in VALUES]
    assert forest.to_nodes(shuffled)["x"].tolist() == VALUES
    again = forest.to_nodes(nodes.sample(frac=1, random_state=2))  # by its column "vertex"
    assert again["x"].tolist() == VALUES
    assert again["vertex"].tolist() == LABELS[0]
    table = {"name": [LABELS[0][i] for i in order], "x": shuffled.tolist()}
    assert forest.to_nodes(table)["x"].tolist() == VALUES
    with pytest.raises(boruvka.GraphTypeError, match="metadata cannot be read as a table"):
        forest.to_nodes({"x": 1})
    with pytest.raises(GraphError, match="got 4"):
        forest.to_nodes({"x": VALUES[:4], "y": shuffled})


def test_masks_of_edges():
    """A mask is matched by the labels of the frame; the labels of other graphs are the numbers of edges."""
    frame = pd.DataFrame(
        {"u": [0, 1, 2, 0], "v": [1, 2, 0, 2], "w": [1, 2, 3, 9]}, index=["a", "b", "c", "d"]
    )
    mask = frame["w"] > 2.5
    for order in itertools.permutations(range(4)):
        shuffled = mask.iloc[list(order)]
        others = [shuffled.astype(kind) for kind in ("boolean", "category", object, "Sparse[bool]")]
        for values in (shuffled, dict(shuffled), *others):
            found = minimum_spanning_forest(frame, excluded=values)
            assert found.edges.tolist() == [0, 1]
        numbered = mask.set_axis(range(4)).iloc[list(order)]
        graph = Graph.from_edges(frame["u"], frame["v"], frame["w"])
        assert minimum_spanning_forest(graph, excluded=dict(numbered)).edges.tolist() == [0, 1]
        if order == (0, 1, 2, 3):
            assert minimum_spanning_forest(graph, excluded=numbered).edges.tolist() == [0, 1]
        else:
            with pytest.raises(GraphError, match=r"the edges have none; if .*, pass excluded.to_numpy\(\)"):
                minimum_spanning_forest(graph, excluded=numbered)
        removed = minimum_spanning_forest(frame).update(removed=~shuffled)
        assert removed.edges.tolist() == [2]
    assert minimum_spanning_forest(frame, excluded=mask.to_numpy()).edges.tolist() == [0, 1]
    assert minimum_spanning_forest(frame, excluded=mask.reset_index(drop=True)).edges.tolist() == [0, 1]
    with pytest.raises(GraphError, match="excluded has no value for the row 'd'"):
        minimum_spanning_forest(frame, excluded=mask.iloc[:3])
    with pytest.raises(GraphError, match="excluded: the index has 'z', which is no row"):
        minimum_spanning_forest(frame, excluded=mask.rename({"d": "z"}))
    gaps = frame.assign(w=[1, None, 3, 9])
    with pytest.warns(boruvka.GraphWarning, match="left out"):
        graph = boruvka.as_graph(gaps, missing="drop")
    shuffled = (gaps["w"] > 5).iloc[[3, 1, 0, 2]]
    assert minimum_spanning_forest(graph, excluded=shuffled).edges.tolist() == [0, 1]
    assert minimum_spanning_forest(graph, excluded=shuffled.drop("b")).edges.tolist() == [0, 1]


def test_masks_that_could_be_matched_in_two_ways():
    """The rows of a shuffled frame keep their numbers: a mask that is numbered anew says neither order."""
    frame = pd.DataFrame({"u": [0, 1, 2, 0], "v": [1, 2, 0, 2], "w": [1, 2, 3, 9]}).iloc[[3, 1, 0, 2]]
    mask = frame["w"] > 2.5
    assert minimum_spanning_forest(frame, excluded=mask).edges.tolist() == [1, 2]
    assert minimum_spanning_forest(frame, excluded=mask.sort_index().to_dict()).edges.tolist() == [1, 2]
    with pytest.raises(GraphError, match="the same numbers as labels, in another order; if"):
        minimum_spanning_forest(frame, excluded=mask.reset_index(drop=True))
    graph = Graph.from_edges(frame["u"], frame["v"], frame["w"])
    with pytest.raises(GraphError, match="the index has labels, such as 3, and the edges have none"):
        minimum_spanning_forest(graph, excluded=mask)
    grown = minimum_spanning_forest(frame).update(([0], [3], [5]))
    with pytest.raises(GraphError, match="the edges have none"):
        grown.update(removed=pd.Series([True, False, False, False, False], index=[3, 1, 0, 2, 4]))
    for wrong in mask.astype(int), dict(mask.astype(int)), mask.iloc[:0], {}:
        with pytest.raises((GraphError, boruvka.GraphTypeError)):
            minimum_spanning_forest(graph, excluded=wrong)
    assert minimum_spanning_forest(graph, excluded=[]).edges.tolist() == [1, 2]


@given(order=st.permutations(range(4)), second=st.permutations(range(4)))
def test_columns_of_edges(order, second):
    """Ends and weights with the same labels belong together; the first column has the order."""
    labels = ["a", "b", "c", "d"]
    u, v, w = (pd.Series(x, labels) for x in ([0, 1, 2, 3], [1, 2, 3, 0], [5, 7, 6, 8]))
    for edges in (u, v.iloc[order], w.iloc[second]), (u.to_numpy(), v, w.iloc[second]):
        for graph in Graph.from_edges(*edges), Graph(4, *edges), boruvka.as_graph(edges):
            assert graph.w.tolist() == [5, 7, 6, 8]
            assert graph.v.tolist() == [1, 2, 3, 0]
    incremental = boruvka.IncrementalForest(dtype="int64")
    incremental.insert(u, v.iloc[order], w.iloc[second])
    assert incremental.edges.tolist() == [0, 1, 2]
    numbered = w.reset_index(drop=True)
    assert Graph.from_edges(u, v.iloc[order], numbered).w.tolist() == [5, 7, 6, 8]  # no labels
    shuffled = numbered.iloc[second]
    assert Graph.from_edges(*(x.reset_index(drop=True) for x in (u, v)), shuffled).w.tolist() == [5, 7, 6, 8]


def test_pairs_of_vertices():
    forest, labels = tree(None), ["a", "b", "c"]
    us, vs = pd.Series([0, 1, 4], labels), pd.Series([1, 3, 2], labels)
    expected = forest.bottleneck(us.to_numpy(), vs.to_numpy()).edges.tolist()
    for order in itertools.permutations(range(3)):
        assert forest.bottleneck(us, vs.iloc[list(order)]).edges.tolist() == expected


def test_columns_with_other_labels():
    u, v, w = (pd.Series(x, ["a", "b"]) for x in ([0, 1], [1, 2], [5, 7]))
    with pytest.raises(GraphError, match="w and u have different labels, such as 'z': select the same rows"):
        Graph.from_edges(u, v, w.rename({"a": "z"}))
    with pytest.raises(GraphError, match="v and u have labels twice"):
        Graph.from_edges(u.rename({"a": "b"}), v.iloc[::-1].rename({"b": "a"}).rename({"a": "b"}).iloc[:1], w)
    points = pd.DataFrame({"x": [0.0, 1, 5]}, index=["a", "b", "c"])
    names = pd.Series(["C", "A", "B"], index=["c", "a", "b"])
    for given_names in names, dict(names):
        assert Graph.from_points(points, names=given_names).names.tolist() == ["A", "B", "C"]
        profiles = Graph.from_profiles(points + 1, names=given_names, collapse=True)
        assert profiles.names.tolist() == ["A", "B", "C"]
    with pytest.raises(GraphError, match="names and points have different labels, such as 'd'"):
        Graph.from_points(points, names=names.rename({"c": "d"}))
    for make in Graph.from_points, Graph.from_profiles:
        with pytest.raises(GraphError, match=r"names: they have labels, such as 'c', and .* none"):
            make(points.to_numpy() + 1, names=names)
    neighbours = pd.DataFrame([[1], [2], [1]], index=["a", "b", "c"])
    distances = pd.DataFrame([[4.0], [1.0], [4.0]], index=["c", "a", "b"])
    assert Graph.from_neighbor_lists(neighbours, distances).w.tolist() == [1, 4, 4]
    assert in_order_of_rows(x=[1, 2], y=None) == ([1, 2], None)


@pytest.mark.parametrize("labels", [[1, 2, 3], [7, 10, 9], ["a", "b", "c"]])
def test_square_frames_as_read_from_csv(labels):
    """pandas reads labels of rows as numbers, and those of columns as texts."""
    given = pd.DataFrame([[0.0, 2, 7], [2, 0, 4], [7, 4, 0]], labels, labels)
    frame = pd.read_csv(io.StringIO(given.to_csv()), index_col=0)
    for graph in Graph.from_distances(frame), boruvka.as_graph(frame), Graph.from_dense(frame):
        assert graph.names.tolist() == labels
        assert boruvka.minimum_spanning_forest(graph).weight == minimum_spanning_tree(given).sum()
    assert boruvka.minimum_spanning_forests([frame, given])[0].graph.names.tolist() == labels


SORTED = "frame.rename(index=str, columns=str).pipe(lambda x: x[x.index])"


@pytest.mark.parametrize(
    ("change", "advice"),
    [
        (lambda frame: frame[frame.columns[::-1]], SORTED),
        (lambda frame: frame.T.iloc[::-1], SORTED),
        (lambda frame: frame.rename(columns=int).iloc[::-1], SORTED),
        (lambda frame: frame.set_axis(list("cab")), "frame.set_axis(frame.columns, axis=0)"),
    ],
)
def test_advice_on_labels_of_square_frames_works(change, advice):
    frame = change(pd.DataFrame([[0.0, 2, 7], [2, 0, 4], [7, 4, 0]], [1, 2, 3], ["1", "2", "3"]))
    with pytest.raises(GraphError, match=re.escape(f"write {advice}") + "$"):
        Graph.from_distances(frame)
    graph = Graph.from_distances(eval(advice, {"frame": frame}))
    assert sorted(map(str, graph.names)) == ["1", "2", "3"]
    assert boruvka.minimum_spanning_forest(graph).weight == 6


def test_sample_weights():
    sklearn = pytest.importorskip("boruvka.sklearn", exc_type=boruvka.MissingExtraError)
    points = pd.DataFrame({"x": [0.0, 0.1, 5.0, 5.1, 5.2, 9.0]}, index=list("abcdef"))
    weights = pd.Series([1.0, 4, 1, 1, 2, 7], index=points.index)

    def fit(x, weight):
        return sklearn.HDBSCAN(min_cluster_size=3, min_samples=2).fit(x, sample_weight=weight).probabilities_

    expected = fit(points.to_numpy(), weights.to_numpy()).tolist()
    for order in [[5, 3, 1, 0, 2, 4], [0, 1, 2, 3, 5, 4]]:
        for weight in weights.iloc[order], dict(weights.iloc[order]):
            assert fit(points, weight).tolist() == expected
    assert fit(points, weights.to_numpy()).tolist() == expected
    assert fit(points.to_numpy(), weights.reset_index(drop=True)).tolist() == expected
    assert fit(points, weights.reset_index(drop=True)).tolist() == expected
    for x in points.to_numpy(), points.reset_index(drop=True):
        with pytest.raises(GraphError, match=r"'a', and X none: pass sample_weight\.to_numpy\(\)"):
            fit(x, weights)
    for index in [5, 4, 3, 2, 1, 0], [0, 1, 2, 3, 4, pd.NA], [(0, 1)] * 6:
        with pytest.raises(GraphError, match="sample_weight: they have labels"):
            fit(points.to_numpy(), weights.set_axis(index))
    with pytest.raises(GraphTypeError, match="sample_weight is a mapping and X has no labels"):
        fit(points.to_numpy(), dict(enumerate(weights)))
    with pytest.raises(GraphError, match="sample_weight and X have different labels, such as 'z'"):
        fit(points, weights.rename({"a": "z"}))


def test_names_by_number():
    graph = Graph.from_edges([0, 1], [1, 2], [1, 2], names={2: "c", 0: "a", 1: "b"})
    assert graph.names.tolist() == ["a", "b", "c"]
    assert graph.with_names({"c": "C", "a": "A", "b": "B"}).names.tolist() == ["A", "B", "C"]
    with pytest.raises(GraphError, match="names has no value for the vertex 'b'"):
        graph.with_names({"c": "C", "a": "A"})


def test_no_value_at_all():
    graph = Graph(0, [], [], [])
    for values in [], {}, np.empty(0), pd.Series([], dtype=float), pd.DataFrame({"x": []}):
        assert values_of_vertices(graph, "x", values).size == 0
    assert isinstance(minimum_spanning_forest(graph), Forest)
    assert values_of_vertices(Graph(1, [], [], []), "x", {0: 5}).tolist() == [5]


@pytest.mark.filterwarnings("ignore:.*rows have no names of vertices")
def test_a_column_of_numbers_that_are_the_names_in_another_order():
    """It may name the rows, or be a value such as a rank: neither is guessed."""
    for names in [101, 205, 309], ["101", "205", "309"]:
        forest = minimum_spanning_forest(
            Graph.from_edges(names, names[1:] + names[:1], [1, 2, 3], names=True)
        )
        for make in pd.DataFrame, pl.DataFrame:
            with pytest.raises(GraphError, match="the column 'city' has names of vertices"):
                forest.to_nodes(make({"city": [309, 101, 205], "x": [3, 1, 2]}))
            assert forest.to_nodes(make({"city": [101, 205, 309], "x": [3, 1, 2]}))["x"].tolist() == [3, 1, 2]
            assert forest.to_nodes(make({"year": [205, 101, 101], "x": [3, 1, 2]}))["x"].tolist() == [3, 1, 2]


def test_names_by_row_number():
    """A mapping of names is matched by the numbers of rows that have no labels."""
    rows, names = [[1, 2], [1, 3], [2, 3]], {2: "c", 0: "a", 1: "b"}
    for table in np.array(rows), pl.DataFrame(rows, orient="row"), pd.DataFrame(rows), rows:
        for make in Graph.from_profiles, Graph.from_points:
            assert make(table, names=names).names.tolist() == ["a", "b", "c"]
            with pytest.raises(GraphError, match="names"):
                make(table, names={1: "a", 2: "b", 3: "c"})


def test_an_index_with_a_label_twice():
    """It names no vertices, and a warning says so; estimators need no names."""
    sklearn = pytest.importorskip("boruvka.sklearn", exc_type=ImportError)
    frame = pd.DataFrame([[1, 2], [3, 4], [6, 5]], index=["a", "a", "b"])
    distances = pd.DataFrame(1 - np.eye(3), index=frame.index, columns=frame.index)
    makers = (Graph.from_points, frame), (Graph.from_profiles, frame), (Graph.from_distances, distances)
    for make, table in makers:
        with pytest.warns(boruvka.GraphWarning, match="the index has 'a' twice"):
            assert make(table).names is None
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sklearn.HDBSCAN(min_cluster_size=2).fit(frame)


@pytest.mark.filterwarnings("ignore:.*rows have no names of vertices")
def test_integers_beside_missing_ones():
    """They are exact in tables of vertices; nothing computes with rounded ones."""
    large = 2**60 + 1
    forest = minimum_spanning_forest(Graph.from_edges(["a", "b", "c"], ["b", "c", "a"], [1, 2, 3]))
    columns = {"id": ["c", "b", "a"], "x": [large, None, 3]}
    nullable = pd.DataFrame(columns | {"x": pd.array([large, None, 3], "Int64")})
    for table in pl.DataFrame(columns), pl.DataFrame(columns).to_arrow(), nullable, columns:
        found = forest.to_nodes(table if table is not columns else {"x": [3, None, large]})
        assert found["x"].dropna().tolist() == [3, large]
    assert forest.to_nodes({"x": [None, 2**63, 1]})["x"].dropna().tolist() == [2**63, 1]
    assert forest.to_nodes({"x": [None, 2**64, -1]})["x"].tolist() == [None, 2**64, -1]
    values = [large, None, 3]
    for column in pl.Series(values), pl.Series(values).to_arrow(), pd.Series(values, dtype="Int64"), values:
        with pytest.raises(boruvka.GraphTypeError, match="values must be numbers"):
            forest.rooted("a").subtree(column)


def test_columns_of_several_levels():
    """A table of vertices has one level of columns."""
    forest = minimum_spanning_forest(Graph.from_edges([0, 1], [1, 2], [1, 2]))
    frame = pd.DataFrame(np.ones((3, 2)), columns=pd.MultiIndex.from_tuples([("x", 1), ("x", 2)]))
    with pytest.raises(boruvka.GraphTypeError, match="metadata has columns of 2 levels"):
        forest.to_nodes(frame)


@pytest.mark.parametrize(
    "profiles", [[[]], np.empty((3, 0)), pd.DataFrame(index=["a"]), pd.DataFrame({"ST": [1]})]
)
def test_profiles_without_loci(profiles):
    """They are refused: no profile is not the same as equal ones."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(GraphError, match="no column that is a locus"):
            Graph.from_profiles(profiles)


def test_names_that_pandas_reads_as_missing(tmp_path):
    """A share called NA, in a matrix and in a table of vertices."""
    names = ["A", "NA", "B"]
    path = tmp_path / "table.csv"
    pd.DataFrame([[0, 1, 2], [1, 0, 3], [2, 3, 0]], names, names).to_csv(path)
    frame = pd.read_csv(path, index_col=0)
    with pytest.raises(
        GraphError, match=r"write frame.set_axis\(frame.columns, axis=0\); .*keep_default_na=F"
    ):
        Graph.from_distances(frame)
    graph = Graph.from_distances(frame.set_axis(frame.columns, axis=0))
    assert graph.names.tolist() == names
    read = pd.read_csv(path, index_col=0, keep_default_na=False, na_values="")
    assert Graph.from_distances(read).names.tolist() == names
    with pytest.warns(GraphWarning, match="the index has nan twice.*keep_default_na=False"):
        Graph.from_distances(frame.set_axis([np.nan, np.nan, "B"]).set_axis([np.nan, np.nan, "B"], axis=1))
    path.write_text("name,cap\nA,1\nNA,2\nB,\n")
    forest = minimum_spanning_forest(graph)
    with (
        pytest.warns(GraphWarning, match="the index has nan, which is no vertex; pandas.read_csv"),
        pytest.warns(GraphWarning, match="the first is 'NA'"),
    ):
        values_of_vertices(graph, "sizes", pd.read_csv(path, index_col=0)["cap"], is_partial=True)
    sizes = pd.read_csv(path, index_col=0, keep_default_na=False)["cap"]
    with pytest.raises(GraphTypeError, match="these have dtype object, such as '1'"):
        sizes_of_vertices(forest, sizes)
    expected = sizes_of_vertices(forest, pd.to_numeric(sizes, errors="coerce")).tolist()
    sizes = pd.read_csv(path, index_col=0, keep_default_na=False, na_values="")["cap"]
    assert sizes_of_vertices(forest, sizes).tolist() == expected == [1, 2, 0]
    with pytest.raises(GraphTypeError, match=r"sizes=frame\['cap'\], or frame.set_index\('Name'\)\['cap'\]"):
        sizes_of_vertices(forest, "cap")


def test_tickers():
    """A column of tickers holds the names; a part of a name is a hint, another contract is none."""
    names = ["HG1 Comdty", "XB1 Comdty", "ES2 Index"]
    forest = minimum_spanning_forest(Graph.from_edges(names[:2], names[1:], [1, 2]))
    sectors = pd.DataFrame({"sector": [1, 2, 3], "Ticker": names[::-1]})
    assert forest.to_nodes(sectors)["sector"].tolist() == [3, 2, 1]
    for wrong, hint in ("HG1", "is it 'HG1 Comdty'"), ("hg1.comdty", "is it"), ("ZZ1 Comdty", "first ones"):
        with pytest.raises(GraphError, match=f"no vertex; .*{hint}"):
            forest.to_nodes({"sector": {wrong: 1}})


def test_an_index_of_numbers_for_names_that_are_texts():
    forest = minimum_spanning_forest(Graph.from_edges(["7203", "ON"], ["ON", "6758"], [1, 2]))
    advice = r"'7203', which is a string.*: write sizes.set_axis\(sizes.index.astype\(str\)\)"
    with pytest.warns(GraphWarning, match=advice), pytest.warns(GraphWarning, match="have no row"):
        sizes_of_vertices(forest, pd.Series([1, 2], [7203, "ON"]))
    with pytest.raises(GraphError, match=advice):
        sizes_of_vertices(forest, pd.Series([1, 2, 3], [7203, 6758, 5]))


@pytest.mark.parametrize("names", [["a1", "b1"], ["a1 ", " b1"]])
@pytest.mark.parametrize("labels", [["b1 ", "\ta1"], ["b1", "a1"]])
@pytest.mark.filterwarnings("ignore:.*matched by names without")
def test_names_with_blanks(names, labels):
    """They are matched as in files, in any column of names, also where a rule by position would fit."""
    forest = minimum_spanning_forest(Graph.from_profiles([[1, 1], [1, 2]], names=names))
    frame = pd.DataFrame({"isolate": labels, "x": [2, 1]})
    for values in frame, frame.set_index("isolate"), {"x": {labels[0]: 2, labels[1]: 1}}:
        assert forest.to_nodes(values)["x"].tolist() == [1, 2]


def test_names_that_differ_by_case_or_blanks():
    forest = minimum_spanning_forest(Graph.from_edges(["KPN-005", "KP 2"], ["KP 2", "x"], [1, 2]))
    values = {"zzz": 4, "kpn-005": 1, "KP2": 2, "x ": 3}
    with pytest.warns(GraphWarning) as caught:
        found = forest.to_nodes({"ward": values})["ward"]
    assert found.tolist()[::2] == [1, 3]  # without the blank
    assert "1 of 4 rows are matched by names without folders" in str(caught[0].message)
    assert "in any case, as 'kpn-005' with 'KPN-005'" in str(caught[0].message)
    assert "2 of 4 rows are left out: the index has 'zzz', which is no vertex" in str(caught[1].message)
    assert "(others are 'KP2')" in str(caught[1].message)
    with pytest.raises(GraphError, match=r"has 'kp_2', which is no vertex; is it 'KP 2'\?"):
        forest.to_nodes({"ward": {"kp_2": 1}})
    with pytest.raises(GraphError, match="has the vertex 'x' twice"):
        forest.to_nodes({"ward": {"x": 1, "x ": 2}})


@pytest.mark.filterwarnings("ignore:.*in any case", "ignore:.*are left out", "ignore:.*have no row")
def test_names_in_another_case():
    """They match where one vertex only may be meant; a name in the same case comes first."""
    names = ["A.fasta", "a.fa", "B", "b", "54|Kp1", "Kq", "kQ"]
    graph = Graph.from_edges(range(6), range(1, 7), [1] * 6, names=names)
    forest = minimum_spanning_forest(graph)
    for labels in ["a", "A", "B", "kp1"], ["A.FASTA", "b", "KQ", "KP1"]:
        values = pd.Series([1.0, 2, 3, 4], index=labels)
        known = {"A": 0, "A.FASTA": 0, "a": 1, "B": 2, "b": 3, "kp1": 4, "KP1": 4}  # KQ may be two
        expected = [next((x for y, x in values.items() if known.get(y) == k), None) for k in range(7)]
        for table in {"x": values}, pd.DataFrame({"isolate": labels, "x": values.tolist()}):
            found = forest.to_nodes(table)["x"].astype(object)
            assert found.where(found.notna(), None).tolist() == expected


@pytest.mark.filterwarnings("ignore:.*are no loci")
@pytest.mark.filterwarnings("ignore:1 column is no locus", "ignore:.*holds the names")
def test_names_in_another_column_of_profiles():
    """PubMLST has both id and isolate; metadata may have either."""
    frame = pd.DataFrame({"id": [5, 6, 7], "isolate": ["a", "b", "c"], "l1": [1, 1, 2], "l2": [1, 2, 3]})
    wards = pd.DataFrame({"isolate": ["c", "a"], "ward": [1, 2]}).set_index("isolate")
    forest = minimum_spanning_forest(Graph.from_profiles(frame))
    with pytest.raises(GraphError, match="has 'c', which is no vertex; the first ones are 5, 6, 7"):
        forest.to_nodes(wards)
    forest = minimum_spanning_forest(Graph.from_profiles(frame, names=frame["isolate"]))
    with pytest.warns(GraphWarning, match="have no row"):
        assert forest.to_nodes(wards)["ward"].tolist()[::2] == [2, 1]


@pytest.mark.parametrize("collapse", [False, True])
@pytest.mark.parametrize("others", [[], ["Q", "R"]])
def test_rows_of_profiles_that_were_left_out(collapse, others):
    """They are not counted among rows of other names, and warn of nothing alone."""
    strains = pd.DataFrame({"l1": [1, 1, 2, 0, 3], "l2": [1, 1, 2, 0, 3]}, index=["A", "B", "C", "D.fa", "E"])
    how = {"missing": "ignore", "collapse": collapse, "max_missing": 0.5, "drop": "E"}
    with pytest.warns(GraphWarning, match="they are left out"):
        graph = Graph.from_profiles(strains, **how)
    trees = minimum_spanning_forest(graph), minimum_spanning_forest(graph).collapse_at(0)
    names = [*others, "E", "D", "C", "B", "A"]
    table = pd.Series(range(len(names)), index=names, name="x")
    for tree in trees:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            nodes = tree.to_nodes(table, members=True)
        assert nodes["x"].tolist() == table[["A", "B", "C"]].tolist()
        messages = [str(each.message) for each in said]
        expected = "metadata: 2 of 7 rows are left out: the index has 'Q', which is no "
        assert all(text.startswith(expected) for text in messages)
        assert all(
            text.endswith("(others are 'R'); 2 more are of profiles that were left out") for text in messages
        )
        assert len(messages) == bool(others)
    with pytest.raises(GraphError, match="the index has 'E', which is no"):
        trees[0].to_nodes(table[["E", "D"]])
