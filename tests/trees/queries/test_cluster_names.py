"""Names of clusters that stay when vertices are added: against a search over all pairs, again and again."""

import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boruvka
from boruvka import Graph, GraphError, GraphWarning, OptionError
from boruvka.trees.queries.cluster_names import named_as_before

FRAME = pd.DataFrame({"l1": [1, 1, 5, 5, 9], "l2": [1, 2, 5, 6, 9]}, index=list("ABCDE"))


def clusters(frame, at=1, **how):
    return boruvka.minimum_spanning_forest(Graph.from_profiles(frame)).clusters([at], **how)


def names_of(table):
    return dict(zip(table["strain"], table["cluster_1"], strict=True))


def by_search(old, new):
    """Name new clusters: again and again, the pair of an old and a new one that shares most members."""
    names = {}
    while True:
        pairs = [
            (sum(old.get(v) == label and new[v] == c for v in new), list(old.values()).count(label), label, c)
            for label in dict.fromkeys(old.values())
            for c in dict.fromkeys(new.values())
            if c not in names and label not in names.values()
        ]
        pairs = [pair for pair in pairs if pair[0]]
        if not pairs:
            return names
        *_, label, cluster = max(pairs, key=lambda pair: (pair[:2], -first_member(old, new, pair)))
        names[cluster] = label


def first_member(old, new, pair):
    return min(k for k, v in enumerate(old) if old[v] == pair[2] and new.get(v) == pair[3])


def change_of(row, old, new, found):
    """Return what became of a row, by the words of the documentation."""
    if row not in old:
        return "joined" if any(v in old and new[v] == new[row] for v in new) else "new"
    if found[row] == old[row]:
        return ""
    return "split" if old[row] in found.values() else "merged"


@pytest.mark.filterwarnings("ignore:(cluster_1|previous. .* rows are left out)")
@given(
    old=st.dictionaries(st.integers(0, 9), st.sampled_from("pqrs"), max_size=8),
    new=st.dictionaries(st.integers(0, 9), st.integers(0, 3), min_size=1),
    random=st.randoms(use_true_random=False),
)
def test_names_are_those_of_a_search(old, new, random):
    first = {label: min(v for v in new if new[v] == label) for label in new.values()}
    columns = {"vertex": list(new), "cluster_1": [str(first[x]) for x in new.values()]}
    if old and old.keys().isdisjoint(new):
        with pytest.raises(GraphError, match="which is no vertex"):
            named_as_before(columns, old, [])
        return
    named = named_as_before(columns, old, [])
    found = dict(zip(new, named["cluster_1"], strict=True))
    assert named["change_1"] == [change_of(v, old, new, found) for v in new]
    expected = by_search(old, new)
    for vertex, name in found.items():
        assert name == expected.get(new[vertex], name)
        assert new[vertex] in expected or name not in old.values()
    assert all((found[a] == found[b]) == (new[a] == new[b]) for a in new for b in new)
    rows = list(new)
    random.shuffle(rows)
    shuffled = {"vertex": rows, "cluster_1": [str(first[new[v]]) for v in rows]}
    again = dict(zip(rows, named_as_before(shuffled, old, [])["cluster_1"], strict=True))
    assert {v: again[v] for v in new if new[v] in expected} == {
        v: found[v] for v in new if new[v] in expected
    }


def test_new_rows_and_other_orders_do_not_rename():
    old = clusters(FRAME)
    assert names_of(old) == {"A": "A", "B": "A", "C": "C", "D": "C", "E": "E"}
    more = pd.concat([pd.DataFrame({"l1": [5, 7], "l2": [7, 7]}, index=["X", "Y"]), FRAME.iloc[::-1]])
    assert names_of(clusters(more))["D"] == "X"
    expected = {"X": "C", "Y": "C", "A": "A", "B": "A", "C": "C", "D": "C", "E": "E"}
    for previous in old, pl.from_pandas(old), names_of(old), pd.Series(names_of(old)):
        assert names_of(clusters(more, previous=previous)) == expected


def test_rows_of_an_earlier_table():
    """Names of files match names of strains, other rows are counted, and rows without a cluster have none."""
    old = pd.DataFrame(
        {"who": ["A.fa", "B.fa", "Q", "C", "E"], "cluster_1": ["x", "x", "y", "-", "Singleton"]}
    )
    with pytest.warns(GraphWarning) as said:
        found = names_of(clusters(FRAME, previous=old))
    assert found == {"A": "x", "B": "x", "C": "C", "D": "C", "E": "E"}
    assert "2 of 5 rows are matched by names without folders and endings" in str(said[0].message)
    assert "its column 'who' has 'Q', which is no vertex" in str(said[1].message)
    with pytest.raises(GraphError, match="its index has the vertex 'A' twice"):
        clusters(FRAME, previous=pd.DataFrame({"cluster_1": ["x", "y"]}, index=["A", "A"]))
    old = pd.DataFrame({"strain": ["B", "C"], "vertex": ["A", "C"], "cluster_1": ["x", "y"]})
    assert names_of(clusters(FRAME.loc[list("BC")], previous=old)) == {"B": "x", "C": "y"}


def test_an_earlier_table_with_gaps():
    """Columns with values that are NA, and repeated names beside those of strains."""
    old = pd.DataFrame(
        {"vertex": list("AAC"), "note": pd.array([None, "x", None], "string"), "Key": list("ABC")}
    )
    old["count"], old["cluster_1"] = pd.array([1, None, 2], "Int64"), ["x", "x", "y"]
    assert names_of(clusters(FRAME.loc[list("ABC")], previous=old)) == {"A": "x", "B": "x", "C": "y"}


def test_row_numbers_name_nothing_beside_a_column_of_names():
    """Else a table just read would be matched row by row, in another order."""
    old = pd.DataFrame({"FILE": list("EDCBA"), "cluster_1": list("zyyxx")})
    new = FRAME.rename_axis("FILE").reset_index().sort_values("l2", ascending=False)
    found = clusters(new, previous=old)
    assert dict(zip(found["FILE"], found["cluster_1"], strict=True)) == dict(
        zip("ABCDE", "xxyyz", strict=True)
    )
    unnamed = FRAME.reset_index(drop=True)
    with pytest.raises(
        GraphError, match=r"'FILE' has 'E', which is no vertex, .*'0': the graph needs the rows"
    ):
        clusters(unnamed, previous=old)
    in_order = old[["cluster_1"]].assign(cluster_1=list("ppqqr"))
    for bare in in_order["cluster_1"], in_order:
        with pytest.warns(GraphWarning, match="previous: rows have no names, and are matched by numbers"):
            assert list(names_of(clusters(unnamed, previous=bare)).values()) == list("ppqqr")
    numbers = pd.DataFrame({"vertex": [4, 2, 3], "cluster_1": list("zyy")})
    assert names_of(clusters(unnamed, previous=numbers)) == {0: "0", 1: "0", 2: "y", 3: "y", 4: "z"}


def test_numbers_before_a_bar():
    """BIGSdb calls strains 54|KP1, and other tables KP1."""
    new = FRAME.set_axis([f"{k}|{name}" for k, name in enumerate(FRAME.index, 54)])
    with pytest.warns(GraphWarning, match=r"before a bar, or blanks, in any case, as 'A' with '54\|A'"):
        found = clusters(new, previous=dict(zip("ABCDE", "xxyyz", strict=True)))
    with pytest.warns(GraphWarning, match="in any case, as 'a' with 'A'"):
        lower = clusters(FRAME, previous=pd.DataFrame({"who": list("abcde"), "cluster_1": list("xxyyz")}))
    assert found["cluster_1"].tolist() == lower["cluster_1"].tolist() == list("xxyyz")
    twice = FRAME.set_axis(["1|A", "2|A", *"CDE"])
    with pytest.raises(
        GraphError, match=r"the table has 'A', which may be the vertex '[12]\|A' or '[12]\|A'"
    ):
        clusters(twice, previous={"A": "x"})


def test_old_clusters_of_rows():
    """They tell all merges and splits, which a warning shortens."""
    wide = pd.DataFrame({"l1": range(1, 11), "l2": range(1, 11)}, index=[f"s{k}" for k in range(10)])
    old = clusters(wide)
    assert "was_1" not in old
    with pytest.warns(
        GraphWarning, match=r"9 of 10 old clusters were merged .* all are in the column 'was_1'$"
    ):
        found = clusters(wide.assign(l1=1), previous=old.iloc[::-1])
    assert found["was_1"].tolist() == [f"s{k}" for k in range(10)]
    more = pd.concat([wide[:1], wide[:1].set_axis(["new"])])
    assert clusters(more, previous=old[:1])["was_1"].tolist() == ["s0", ""]
    found = clusters(wide[:2], previous={"s1": 7, "s0": 8})
    assert found["was_1"].tolist() == found["cluster_1"].tolist() == [8, 7]


def test_merged_and_split_clusters_are_named():
    old = clusters(FRAME)
    more = pd.concat([pd.DataFrame({"l1": [5], "l2": [1]}, index=["X"]), FRAME])  # joins A and C, which tie
    with pytest.warns(GraphWarning, match="1 of 3 old clusters were merged into others: 'C' is in 'A'$"):
        assert set(names_of(clusters(more, previous=old)).values()) == {"A", "E"}
    joined = dict.fromkeys("ABCDE", "A")
    with pytest.warns(GraphWarning, match="1 of 1 old clusters were split: 'A' is in 'A', 'C', 'E'$"):
        found = names_of(clusters(FRAME, previous=joined))
    assert found == names_of(old)
    with pytest.warns(GraphWarning, match="split"):
        found = names_of(clusters(FRAME, previous=dict.fromkeys("CDEAB", "C")))  # C is taken
    assert found == {"C": "C", "D": "C", "A": "A", "B": "A", "E": "E"}
    with pytest.warns(GraphWarning, match="split"), pytest.warns(GraphWarning, match="'E' is in 'D'"):
        found = names_of(clusters(FRAME, previous={"A": "C", "B": "C", "C": "D", "D": "E", "E": "C"}))
    assert [found[x] for x in "ACE"] == ["C", "D", "E_2"]


def test_numbers_and_collapsed_profiles():
    graph = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 3], [1, 5, 1]))
    assert graph.clusters([1], previous={3: 7, 0: 2})["cluster_1"].tolist() == [2, 2, 7, 7]
    assert graph.clusters([1], previous={3: "b"})["cluster_1"].tolist() == ["0", "0", "b", "b"]
    strains = pd.DataFrame({"l1": [1, 1, 4], "l2": [2, 2, 4]}, index=["x", "y", "z"])
    forest = boruvka.minimum_spanning_forest(Graph.from_profiles(strains, collapse=True))
    old = pd.DataFrame({"strain": ["z", "y"], "cluster_0": ["late", "early"], "cluster_1_5": [None, "a"]})
    found = forest.clusters([0, 1.5], previous=old)
    assert found["cluster_0"].tolist() == ["early", "early", "late"]
    assert found["cluster_1_5"].tolist() == ["a", "a", "z"]


@pytest.mark.parametrize(
    ("previous", "error", "message"),
    [
        (5, OptionError, "previous must be an earlier table, .* got 5"),
        ("clusters.csv", OptionError, "previous must be an earlier table, as of pandas.read_csv"),
        (
            pd.DataFrame({"vertex": ["A"], "cluster_2": ["A"]}),
            OptionError,
            "no column 'cluster_1': .*'cluster_2'",
        ),
        (pd.DataFrame(), OptionError, "no column 'cluster_1'"),
        ({"Q": "A"}, GraphError, "previous: the table has 'Q', which is no vertex, .*'A'"),
    ],
)
def test_wrong_tables(previous, error, message):
    with pytest.raises(error, match=message):
        clusters(FRAME, previous=previous)


def test_addresses_of_clusters():
    """They are numbers, the largest clusters first, which stay with the names."""
    rows = {"A": "111", "B": "112", "C": "122", "D": "555", "E": "556"}
    frame = pd.DataFrame([list(x) for x in rows.values()], index=list(rows))

    def table(frame, heights=(0, 1), **how):
        forest = boruvka.minimum_spanning_forest(Graph.from_profiles(frame))
        return forest.clusters(heights, addresses=True, **how)

    def addresses(table):
        return dict(zip(table["strain"], table["address"], strict=True))

    old = table(frame)
    assert addresses(old) == {"A": "1.1", "B": "1.2", "C": "1.3", "D": "2.4", "E": "2.5"}
    assert old["address"].equals(table(frame, [1, 0])["address"])
    more = pd.concat([pd.DataFrame([list("999")], index=["Z"]), frame.drop("E")[::-1]])
    with pytest.warns(GraphWarning, match="1 of 5 rows are left out"):
        week = table(more, previous=old)
    assert addresses(week) == {"A": "1.1", "B": "1.2", "C": "1.3", "D": "2.4", "Z": "3.6"}
    assert addresses(table(more, previous=week[::-1])) == addresses(week)
    assert addresses(table(frame, previous=old.drop(columns="address"))) == addresses(old)
    maximum = boruvka.minimum_spanning_forest(([0, 1], [1, 2], [1, 5]), maximum=True)
    assert maximum.clusters([1, 5], addresses=True)["address"].tolist() == ["1.1", "1.2", "1.2"]
    with pytest.raises(OptionError, match="addresses=True needs heights"):
        table(frame, [], k=2)
    for wrong in old["address"].astype(float), "1.1.1", ["1.1", "2.1", "1.1", "1.1", "1.1"], "1.1":
        with pytest.raises(OptionError, match="the column 'address' has not 2 numbers, one for each cluster"):
            table(frame, previous=old.assign(address=wrong))
