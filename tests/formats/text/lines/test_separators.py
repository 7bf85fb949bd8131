"""Separators of fields: found by the content of a text, whatever its ending; names may hold blanks."""

import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boruvka import FormatError, read
from boruvka.formats.points import read_points
from tests.formats.helpers import edges_of

ROWS = [["0", "1", "2.5"], ["1", "2", "3"], ["2", "0", "7"]]
WORDS = [["San Jose", "New York", "5"], ["New York", "Rio", "6"], ["Rio", "San Jose", "7"]]


def table(rows, separator):
    return "".join(separator.join(row) + "\n" for row in rows)


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " ", "  ", ", ", " | ", "; "])
@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.txt", "a.edges"])
@pytest.mark.parametrize("header", [[], [["u", "v", "w"]]])
def test_any_separator_with_any_ending(file, name, separator, header):
    graph = read(file(name, table(header + ROWS, separator)), columns=(0, 1, 2))
    assert edges_of(graph) == [(0, 1, 2.5), (1, 2, 3), (2, 0, 7)]


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", ", "])
@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.txt"])
@pytest.mark.parametrize("header", [[], [["from", "to", "weight"]]])
def test_names_with_blanks(file, name, separator, header):
    graph = read(file(name, table(header + WORDS, separator)))
    assert list(graph.names) == ["San Jose", "New York", "Rio"]
    assert graph.w.tolist() == [5, 6, 7]


@pytest.mark.parametrize(
    ("name", "content", "names"),
    [
        ("a.csv", "San Jose,New York\nNew York,San Jose\n", ["San Jose", "New York"]),
        ("a.txt", "gi|1 gi|2\ngi|2 gi|1\n", ["gi|1", "gi|2"]),
        ("a.csv", "gi|1,gi|2\ngi|2,gi|1\n", ["gi|1", "gi|2"]),
        ("a.csv", '"Bonn, am Rhein";Ulm\nUlm;"Bonn, am Rhein"\n', ["Bonn, am Rhein", "Ulm"]),
        ("a.csv", 'Ulm;"Bonn, am Rhein"\n"Bonn, am Rhein";Ulm\n', ["Ulm", "Bonn, am Rhein"]),
        ("a.csv", '"a;b",c\nc,"a;b"\n', ["a;b", "c"]),
        ("a.csv", "a;b,c\nc,a;b\n", ["a;b", "c"]),
    ],
)
def test_two_columns(file, name, content, names):
    assert list(read(file(name, content), columns=(0, 1), header=False, unweighted=True).names) == names


@pytest.mark.parametrize(
    "content", ["gi|1 gi|2 5\ngi|2 gi|3 6\n", "gi|1,gi|2,5\ngi|2,gi|3,6\n", "gi|1\tgi|2\t5\ngi|2\tgi|3\t6\n"]
)
@pytest.mark.parametrize("name", ["a.txt", "a.csv"])
def test_ids_with_vertical_bars(file, name, content):
    if (name, " " in content) != ("a.csv", True):
        assert list(read(file(name, content)).names) == ["gi|1", "gi|2", "gi|3"]


@pytest.mark.parametrize("field", ["x;y;z;w", "1;2;3;4"])
def test_a_list_in_a_field(file, field):
    content = f"a,b,3,{field}\nb,c,4,{field}\n"
    assert read(file("a.csv", content), columns=(0, 1, 2)).w.tolist() == [3, 4]


def test_errors_are_those_of_the_usual_separator(file):
    for name, content in ("a.csv", "0,1,2\n3,4\n"), ("a.txt", "0 1 2\n3 4\n"), ("a.tsv", "0\t1\t2\n3\t4\n"):
        with pytest.raises(FormatError, match=":2: expected 'u"):
            read(file(name, content))


@pytest.mark.parametrize("separator", [",", ";", "\t", "|", " "])
def test_points(file, separator):
    for name in "p.csv", "p.tsv", "p.txt":
        points = read_points(file(name, table([["0", "1.5"], ["2", "-3"]], separator)))
        assert points.coordinates.tolist() == [[0, 1.5], [2, -3]]


PLAIN = (
    st.text(alphabet="abc é.-_'", min_size=1, max_size=5).map(str.strip).filter(bool).map(lambda x: "x" + x)
)
CASES = st.lists(st.tuples(PLAIN, PLAIN, st.integers(-99, 99)), min_size=1, max_size=9)


@given(CASES, st.sampled_from(",;\t|"), st.sampled_from(["csv", "tsv"]), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_table_in_any_separator_is_the_same_graph(file, rows, separator, ending, has_header):
    lines = [["u", "v", "w"]] * has_header + [[u, v, str(w)] for u, v, w in rows]
    graph = read(file(f"a.{ending}", table(lines, separator)), names=True)
    names = list(dict.fromkeys(itertools.chain.from_iterable((u, v) for u, v, _ in rows)))
    assert sorted(graph.names) == sorted(names)
    found = [(graph.names[u], graph.names[v], w) for u, v, w in edges_of(graph)]
    assert found == rows
