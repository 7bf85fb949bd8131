"""Decimal commas and commas between thousands are read where only one reading is possible."""

import io
import warnings

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import boruvka.stream
from boruvka import FormatError, GraphWarning, read
from boruvka.formats import FileChunk, read_chunk
from boruvka.formats.points import read_coordinates, read_points, read_profiles
from tests.formats.helpers import edges_of


@pytest.mark.parametrize(
    ("name", "content", "weights"),
    [
        ("a.csv", "Source;Target;Weight\r\nUlm;Bonn;440,5\r\nBonn;Kiel;550\r\n", [440.5, 550]),
        ("a.csv", "Source;Target;Weight\nUlm;Bonn;550\nBonn;Kiel;-1.440,5\n", [550, -1440.5]),
        ("a.csv", "u;v;w\n0;1;2\n0;1;2,5\n", [2, 2.5]),
        ("a.csv", "0;1;2,5\n\n# x\n0;1;2\n", [2.5, 2]),
        ("a.csv", "a;b;2,5\nb;c;1,5\n", [2.5, 1.5]),
        ("a.csv", 'u,v,w\na,b,"2,5"\n', [2.5]),
        ("a.csv", 'u,v,w\n0,1,"2,5"\n1,0,"3"\n', [2.5, 3]),
        ("a.csv", 'u,v,w\na,b,"610,086"\nb,c,"1,200"\na,c,"98"\n', [610086, 1200, 98]),
        ("a.csv", '0,1,"1,234,567.5"\n1,2,3.5\n', [1234567.5, 3.5]),
        ("a.csv", "u;v;w\na;b;1.234.567\nb;c;5\n", [1234567, 5]),
        ("a.csv", "u;v;w\na;b;1,234.5\nb;c;5,678\n", [1234.5, 5678]),
        ("a.csv", "w;u;v\n0,125;a;b\n1,5;b;c\n", [0.125, 1.5]),
        ("a.csv", 'u;v;w\n"a;1";b;"2,5"\nb;c;3\n', [2.5, 3]),
        ("a.tsv", "u\tv\tw\na\tb\t2,5\n", [2.5]),
        ("a.tsv", "u\tv\tw\n0\t1\t2\n0\t1\t,5\n", [2, 0.5]),
        ("a.txt", "a b 2\nb c 2,5\n", [2, 2.5]),
        ("a.el", "0 1 2\n0 1 2,5E-1\n", [2, 0.25]),
        ("a.csv.gz", "u;v;w\na;b;2,5\n", [2.5]),
        ("a.csv", "u|v|w\na|b|2,5\n", [2.5]),
    ],
)
@pytest.mark.parametrize("options", [{}, {"missing": "drop"}])
def test_edges(file, name, content, weights, options):
    with pytest.warns(GraphWarning, match="is read as"):
        graph = read(file(name, content), **options)
    assert graph.w.tolist() == weights


def test_gaps(file):
    with pytest.warns(GraphWarning):
        assert read(file("a.csv", "u;v;w\na;b;2,5\nb;c;\na;c;NA\n"), default=7).w.tolist() == [2.5, 7, 7]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("u;v;w\na;b;5\n\nb;c;610,086\n", 4, "'610,086' may be 610086 or 610.086"),
        ("u;v;w\n0;1;5\n1;2;610,086\n", 3, "'610,086' may be 610086 or 610.086"),
        ("u;v;w\na;b;440,5\nb;c;1.234\n", 3, "'1.234' may be 1234 or 1.234"),
        ("u;v;w\na;b;1,234\nb;c;2.5\n", 2, "'1,234' may be 1234 or 1.234"),
        ("u;v;w\na;b;440,5\nb;c;2.5\n", 2, "no decimal comma"),
        ("u;v;w\n0;1;5\n1;2;2,5\n\n2;3;x\n", 5, "expected"),
        ("u;v;w\na;b;5\nb;c;2,5\n\nc;d;x\n", 5, "expected"),
    ],
)
@pytest.mark.filterwarnings("ignore:.*decimal comma")
def test_errors_name_the_line(file, content, line, message):
    with pytest.raises(FormatError, match=rf"a\.csv:{line}: .*{message}"):
        read(file("a.csv", content))


@pytest.mark.parametrize("ends", [("a", "b", "c"), ("0", "1", "2")])
@pytest.mark.parametrize(
    ("costs", "weights"),
    [
        ([("2,5", "3,5"), ("-1", "1.234,5")], [2.5, 1234.5]),
        ([("2", "3,5"), ("-1", "4")], [2, 4]),
        ([("2,5", "yes"), ("1", "no")], [2.5, 1]),
    ],
)
@pytest.mark.filterwarnings("ignore:of 2 rows with costs")
def test_costs_of_both_directions(file, ends, costs, weights):
    a, b, c = ends
    (one, back), (other, other_back) = costs
    content = f"source;target;cost;reverse_cost\n{a};{b};{one};{back}\n{b};{c};{other};{other_back}\n"
    with pytest.warns(GraphWarning, match="is read as"):
        assert read(file("a.csv", content)).w.tolist() == weights


def test_lines_are_rewritten_only_if_the_first_error_is_about_a_number(file, monkeypatch):
    monkeypatch.setattr("boruvka.formats.text.lines.number_forms._checked_mark", None)
    for content in 'u,v,w,name\n0,1,5,"a"\n1,2,x,"b"\n', "u;v;w\n0;1;5\n1;2;x\n2;3;1,5\n", "u,v\n0,1\n":
        with pytest.raises(FormatError):
            read(file("a.csv", content))


def test_chunks_do_not_guess(file):
    path = file("a.csv", "u;v;w\n" + "0;1;1.234\n" * 9 + "0;1;1.234,5\n")
    with pytest.raises(FormatError, match="replace a decimal comma"):
        read_chunk(path, FileChunk(1, 2))


@pytest.mark.parametrize(
    ("first", "last", "expected"),
    [
        ("5,5", "6,25", 6.25),
        ("5,5", "6", 6),
        ("1.234,5", "1.234", 1234),
        ("1,234.5", "1,234", 1234),
        ("5,5", "1.234", "'1.234' may be 1234 or 1.234"),
        ("5,5", "2.5", "the weight is not written like 0,5"),
        ("1,234.5", "2,5", "the weight is not written like 1,234.5"),
        ("5", "2,5", "no decimal comma"),
        ("1.234", "1.234,5", "no decimal comma"),
    ],
)
@pytest.mark.parametrize("ends", [("0", "1", "2"), ("a", "b", "c")])
@pytest.mark.parametrize("is_sequential", [False, True])
@pytest.mark.filterwarnings("ignore:.*is read as")
def test_the_first_chunk_of_a_stream_shows_how_numbers_are_written(
    file, is_sequential, ends, first, last, expected, monkeypatch
):
    for size in "stream.sources.files.CHUNK_BYTES", "stream.sources.files.BATCH_BYTES":
        monkeypatch.setattr(f"boruvka.{size}", 64)
    monkeypatch.setattr("boruvka.formats.files._INFLATE_BYTES", 64)
    u, v, last_end = ends
    path = file("a.csv", "u;v;w\n" + f"{u};{v};{first}\n" * 30 + f"{v};{last_end};{last}\n")
    source = io.BytesIO(path.read_bytes()) if is_sequential else path
    if not isinstance(expected, str):
        forest = boruvka.stream.minimum_spanning_forest(source, format="csv")
        assert forest.w.tolist()[1] == expected
        return
    with pytest.raises(FormatError, match=rf":32: .*{expected}"):
        boruvka.stream.minimum_spanning_forest(source, format="csv")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("x;y\n1,5;2\n0;3\n", [[1.5, 2], [0, 3]]),
        ("x;y\n1;2\n1;2,5\n", [[1, 2], [1, 2.5]]),
        ("1,5;2,5;3\n0;1;2\n", [[1.5, 2.5, 3], [0, 1, 2]]),
        ('x,y\n"1,234",2\n5,6\n', [[1234, 2], [5, 6]]),
    ],
)
@pytest.mark.parametrize("name", ["p.csv", "p.txt"])
def test_points(file, name, content, expected):
    with pytest.warns(GraphWarning, match="is read as"):
        assert read_points(file(name, content)).coordinates.tolist() == expected
    columns = len(expected[0])
    with pytest.warns(GraphWarning, match="is read as"):
        read_points(file(name, content), columns=range(columns))


def test_other_tables(file):
    with pytest.raises(FormatError, match=r"p\.csv:2: '1,234' may be"):
        read_points(file("p.csv", "x;y\n1,234;2\n3;4\n"))
    with pytest.warns(GraphWarning, match="is read as"):
        assert read_coordinates(file("p.csv", "id;x;y\na;1,5;2\n")).points.tolist() == [[1.5, 2]]
    profiles = read_profiles(file("p.tsv", "id\tl1\tl2\na\t1,2\t3\n"), id="id").profiles
    assert profiles["l1"].to_list() == ["1,2"]


def german(x):
    """Write a number as programs with a German locale do."""
    return f"{x:,.2f}".translate(str.maketrans(",.", ".,"))


NUMBERS = st.lists(st.integers(-(10**9), 10**9), min_size=1, max_size=9)


@given(NUMBERS, st.sampled_from([";", "\t", "|", " "]), st.booleans(), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_tables_with_decimal_commas_are_the_same_graph(file, cents, separator, has_names, has_groups):
    names = ["x", "y z", "x"] if has_names and separator != " " else ["0", "1", "2"]
    weights = [x / 100 for x in cents]
    written = [german(x) if has_groups else german(x).replace(".", "") for x in weights]
    rows = [["u", "v", "w"]] + [[names[i % 2], names[1 + i % 2], w] for i, w in enumerate(written)]
    content = "".join(separator.join(row) + "\n" for row in rows)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        graph = read(file("a.csv", content))
    assert len(caught) == 1
    plain = "".join(f"{u},{v},{w}\n" for (u, v, _), w in zip(rows[1:], weights, strict=True))
    assert edges_of(graph) == edges_of(read(file("b.csv", "u,v,w\n" + plain)))
