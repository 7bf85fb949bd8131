"""Edge lists and tables: delimiters, headers, columns, comments, line ends."""

import json

import numpy as np
import pytest

import boruvka.stream
from boruvka.errors import FormatError, GraphWarning, OptionError
from boruvka.formats import read
from tests.formats.helpers import EDGES, assert_malformed, edges_of

OR_NAMES = ", or names, with names=True"
MALFORMED = [
    # name, content, line (None: the file as a whole), part of the message
    (
        "a.csv",
        "u,v,w\n0,1,5\n1,2\n",
        3,
        "expected 'u,v,w' between commas with whole numbers as ids, found '1,2': 2 fields, not 3",
    ),
    ("a.csv", "u,v,w\n0,1,5\n1,2,\n", 3, "found '1,2,'"),
    ("a.csv", "u,v,w\n0,1,5\n1,,5\n", 3, "found '1,,5'"),
    ("a.csv", "u,v,w\n0,1,5\n1,2,5,7\n", 3, "found '1,2,5,7'"),
    ("a.csv", "u,v,w\n0,1,5\n1.0,2,5\n", 3, "found '1.0,2,5'"),
    (
        "a.csv",
        "u,v,w\n0,1,5\nalice,bob,5\n",
        3,
        f"with whole numbers as ids{OR_NAMES}, found 'alice,bob,5'",
    ),
    ("a.csv", "u,v,w\n0,1,5\n1,-2,5\n", 3, "found '1,-2,5'"),
    ("a.csv", "0,1,x\n", 1, "found '0,1,x'"),
    ("a.csv", "0,1,nan\n", 1, "NaN is not a weight"),
    (
        "a.csv",
        f"0,1,1\n0,{2**48},1\n",
        2,
        f"expected ids from 0 to {2**48 - 1}{OR_NAMES}, found",
    ),
    (
        "a.csv",
        f"0,{10**20},1\n",
        1,
        f"expected ids from 0 to {2**48 - 1}{OR_NAMES}, found",
    ),
    ("a.csv", f"# boruvka n={2**48 + 1}\n0,1,1\n", None, "n must be between 0 and 2**48"),
    ("a.csv", f"0,1,{2**64}\n", 1, "does not fit 64 bits"),
    ("a.csv", "a,b,c\n0,1,5\n", 1, "cannot tell the ends of edges among the columns 'a', 'b', 'c'"),
    ("a.csv", "u,v,source,target,w\n0,1,5\n", 1, "cannot tell the ends of edges"),
    ("a.csv", "u,v,cost,length\n0,1,5,6\n", 1, "more than one column may hold weights"),
    ("a.csv", "u,v,colour\n0,1,5\n", 1, "there is no column of weights among the columns 'u', 'v', 'colour'"),
    ("a.csv", "0,1\n", 1, "there is no column of weights; it looks like edges: pass unweighted=True"),
    (
        "a.txt",
        f"0 {'9' * 5000}\n",
        1,
        "there is no column of weights",
    ),
    ("a.csv", "source,target,weight\n1,2,CHF 5\n2,3,CHF 3\n", 2, "found '1,2,CHF 5'"),
    ("a.csv", "0,1,2,3\n", 1, "there are 4 columns without names"),
    ("a.csv", "\n# c\n7\n", 3, "expected at least two columns"),
    ("a.csv", 'u,v,w,name\n0,1,5,"x\ny"\n', 2, "found '0,1,5,\"x'"),
    ("a.csv", "# boruvka n=2\nu,v,w\n0,2,5\n", 3, "expected ids from 0 to 1, found '0,2,5'"),
    ("a.csv", "# boruvka n=0\n0,2,5\n", 2, "expected ids of a graph without vertices"),
    ("a.tsv", "0\t1 5\n", 1, "there is no column of weights"),
    ("a.tsv", "u\tv\tw\n0\t1\t5 6\n", 2, "between tabs"),
    (
        "a.txt",
        "10 13\n1 2 6015\n",
        1,
        "the line looks like n m, the numbers of vertices and edges; if so, remove it",
    ),
    ("a.txt", "8\n16\n4 5 0.35\n", 1, "number of vertices or edges, remove it"),
    ("a.txt", "3\n1\n4 5 0.35\n", 1, "number of vertices or edges, remove it"),
    ("a.txt", "2\n2\n4 5 0.35\n4 5 x\n", 4, "found '4 5 x'"),
    ("a.tsv", "3\t2\n1\t2\t5\n2\t3\t5\n", 1, "looks like n m, the numbers of vertices and edges"),
    ("a.txt", "3 2\n1 2\n2 3\n", 1, "or is the line n m"),
    ("a.txt", "3 2\n1 2\n2 3", 1, "or is the line n m"),
    ("a.csv", "1;2;3.5\n1;2;3,5\n", 2, "no decimal comma and no commas between thousands, found '1;2;3,5'"),
    ("a.txt", "1 2 3\n1 2 1,000\n", 2, "'1,000' may be 1000 or 1.000"),
    ("a.csv", '"0",1,5\n', 1, "without quotation marks"),
    ("a.csv", 'u,v,w\n0,1,0.5\n1,2,"0,7"\n', 3, "remove other commas from numbers, as in line 2"),
    ("a.tsv", "u\tv\tw\na\tb\t0,5\nb\tc\t.7 \n", 2, "remove other commas from numbers, as in line 3"),
    ("a.csv", 'u,v,w\na,b,0.5\nb,c,"0,7"\nc,a,2\n', 3, "found 'b,c,\"0,7\"'; replace a decimal comma"),
    ("a.csv", 'u,v,w\na,b,"40,400.00 €"\n', 2, "as weight, without € after numbers"),
    ("a.csv", "u,v,w,n\n1,2,93%,4\n", 2, "as ids, without % after numbers, found '1,2,93%,4'"),
    ("a.csv", "id_a,id_b,score,n\n1,2,93%,4\n2,3,81%,3\n", 1, ", and remove the % of 'score'"),
    ("a.csv", "u,v,w\r0,1,5\r", 1, r"expected lines that end with \n or \r\n, not with \r alone"),
    ("a.txt", "0 1 5\n1 2\n", 2, "expected 'u v w' between blanks"),
    ("a.txt", "0 1 5\n1,2,5\n", 2, "expected 'u v w' between blanks"),
    ("a.txt", b"\x00\x01\x02\x03 \xff\n", 1, "cannot tell the ends of edges"),
    ("a.txt", "x" * 100_000, 1, "cannot tell the ends of edges"),
]


@pytest.mark.parametrize(("name", "content", "line", "message"), MALFORMED, ids=lambda x: repr(x)[:40])
def test_malformed_files(file, name, content, line, message):
    assert_malformed(file(name, content), line, message)


@pytest.mark.parametrize("blank", ["", "\n", "# by hand\n"])
@pytest.mark.parametrize("edges", ["0 1 0.35\n1 2 0.37\n2 0 .5\n0 1 1\n", "a  b 4\nb c 5\n"])
def test_numbers_of_vertices_and_edges_above_these(file, blank, edges):
    counts = f"3\n{blank}{edges.count(chr(10))}\n{blank}"
    graph, expected = (boruvka.read(file("a.txt", text)) for text in (counts + edges, edges))
    for name in "u", "v", "w", "names":
        np.testing.assert_array_equal(getattr(graph, name), getattr(expected, name))


BAD_ROWS = [
    # content, the same without malformed rows, the first of these and its line, how many there are
    (
        "u,v,w\n0,1,5\n1,2\n2,3,EUR 3\n2,4,6,7\n1.5,2,1\n3,0,4\n",
        "0,1,5\n3,0,4\n",
        "3: the row '1,2'",
        "4 of 6",
    ),
    ("u;v;w\na;b;1,5\nb;c\n# c\n\nc;d;x\nd;a;2,25", "u;v;w\na;b;1.5\nd;a;2.25", "3: the row 'b;c'", "2 of 4"),
    ('u,v,w\na,b,3\nb,"c,4\nb,c\nc,a,2\n', "u,v,w\na,b,3\nc,a,2\n", "3: the row 'b,\"c,4'", "2 of 4"),
    ("u,v,w\n0,1,5\n1,2,1_0\n²,1,3\n٣,1,3\n2,1,3", "u,v,w\n0,1,5\n2,1,3", "3: the row '1,2,1_0'", "3 of 5"),
    ("# c\nu,v,w\n0, 1,5\n 02,1\n2,1,3", "u,v,w\n0,1,5\n2,1,3", "4: the row '02,1'", "1 of 3"),
    ("u|v|w\r\na|b|5\r\n# c\r\nb|c\r\nc|č|1\r\n", "u,v,w\na,b,5\nc,č,1\n", "4: the row 'b.c'", "1 of 3"),
    ('u,v,w\na,b,0.5\nb,c,"0,7"\nc,a,2\n', "u,v,w\na,b,0.5\nc,a,2\n", "3: the row 'b,c,\"0,7\"'", "1 of 3"),
]


@pytest.mark.filterwarnings("ignore:.* have a decimal comma")
@pytest.mark.parametrize(("content", "good", "first", "count"), BAD_ROWS)
def test_malformed_rows_are_skipped_and_counted(file, content, good, first, count):
    """The graph is that of a file without these rows."""
    path, wanted = file("a.csv", content), read(file("good.csv", good))
    for load in read, boruvka.stream.minimum_spanning_forest:
        with pytest.raises(FormatError, match=r"bad_rows='skip' leaves out malformed rows|no decimal comma"):
            load(path, missing="drop")
        with (
            pytest.warns(GraphWarning, match=f"{count} rows are left out"),
            pytest.warns(GraphWarning, match=f"a.csv:{first} is malformed"),
        ):
            graph = load(path, bad_rows="skip")
        graph = getattr(graph, "graph", graph)
        assert (graph.n, graph.m) == (wanted.n, wanted.m)
        if load is read:
            assert edges_of(graph) == edges_of(wanted)


def test_files_of_malformed_rows_alone(file):
    path = file("a.csv", "u,v,w\na,b,x\nb,c\n")
    with pytest.raises(FormatError, match=r"a.csv:3: expected .* 2 fields, not 3"):
        read(path, bad_rows="skip")
    path = file("a.csv", 'u,v,w\na,b,"0,5"\nb,c,"0,7"\nc,a,2.5\n')  # one number with a point among commas
    with pytest.raises(FormatError, match=r"a.csv:2: .*no decimal comma"):
        read(path, bad_rows="skip")
    with pytest.raises(OptionError, match="bad_rows must be one of error, skip"):
        read(path, bad_rows="drop")


@pytest.mark.parametrize(("name", "content", "line", "message"), MALFORMED[:12:3], ids=lambda x: repr(x)[:40])
def test_malformed_files_through_small_chunks(file, small_chunks, name, content, line, message):
    assert_malformed(file(name, content), line, message)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.txt", "0 1 5\n2 1 -7\n"),
        ("a.txt", "0 1 5\n2 1 -7"),
        ("a.txt", "0\t1   5 \r\n\r\n\t2 1 -7\r\n"),
        ("a.txt", "# x\n% y\n0 1 5\n  # z\n2 1 -7\n#"),
        ("a.txt", "0,1,5\n2, 1 ,-7\n"),
        ("a.txt", "0;1;5\n2;1;-7\n"),
        ("a.txt", "u v w\n0 1 5\n2 1 -7\n"),
        ("a.EL", "\ufeff0 1 5\n2 1 -7\n"),
        ("a.wel", "\n\n0 1 5\n\n2 1 -7\n\n"),
        ("a.csv", "u,v,w\n0,1,5\n2,1,-7\n"),
        ("a.csv", "\ufeffsource,target,weight\r\n0,1,5\r\n2,1,-7\r\n"),
        ("a.csv", '"src","dst","Cost"\n0,1,5\n2,1,-7\n'),
        ("a.csv", "from;to;w\n0;1;5\n2;1;-7\n"),
        ("a.csv", "weight,to,from\n5,1,0\n-7,1,2\n"),
        ("a.csv", ',u,v,name,w\n0,0,1,x,5\n1,2,1,"a "","" b",-7\n'),
        ("a.csv", "# any comment\n0,1,5\n# another\n2,1,-7\n"),
        ("a.csv", "0 , 1 , 5\n 2,1,-7\n"),
        ("a.tsv", "u\tv\tw\n0\t1\t5\n2\t1\t-7\n"),
        ("a.tab", "note\tu\tv\tw\na b\t0\t1\t5\n\t2\t1\t-7\n"),
        ("a.csv", "x" * 5000 + ",u,v,w\n" + "y" * 5000 + ",0,1,5\n,2,1,-7\n"),
    ],
)
def test_the_same_edges(file, small_chunks, name, content):
    graph = read(file(name, content))
    assert edges_of(graph) == EDGES
    assert graph.n == 3
    assert graph.w.dtype == np.int64


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("0,1,5\n2,1,-7\n", {"columns": (0, 1, 2)}),
        ("5,9,0,1\n-7,9,2,1\n", {"columns": (2, 3, 0)}),
        ("a,b,c\n5,0,1\n-7,2,1\n", {"columns": ("b", "c", "a")}),
        ("a,b,c\n5,0,1\n-7,2,1\n", {"columns": (1, "c", 0)}),
        ("a,b,c\n0,1,5\n2,1,-7\n", {"columns": (0, 1, 2), "header": True}),
        ("1,2,3\n0,1,5\n2,1,-7\n", {"columns": ("1", "2", "3"), "header": True}),
        ("u,v,length,cost\n0,1,9,5\n2,1,9,-7\n", {"columns": ("u", "v", "cost")}),
        ("1,2,5\n3,2,-7\n", {"one_based": True}),
        ("0,1,5\n2,1,-7\n", {"header": False, "n": 3}),
    ],
)
def test_options(file, content, options):
    graph = read(file("a.csv", content), **options)
    assert edges_of(graph) == EDGES
    assert graph.n == 3


@pytest.mark.parametrize(
    ("content", "n"),
    [("", None), ("# boruvka n=4\n", 4), ("u,v,w\n", 0), ("# boruvka n=4\r\nu,v,w\r\n", 4), ("#\n\n", 0)],
)
def test_no_edges(file, content, n):
    if n is None:
        with pytest.raises(FormatError, match="the file is empty"):
            read(file("a.csv", content))
    else:
        graph = read(file("a.csv", content))
        assert (graph.n, graph.m) == (n, 0)


@pytest.mark.parametrize("ends", ["0{}1", "a{}b", '"a"{}"b"'])
@pytest.mark.parametrize("mark", ",;\t|")
@pytest.mark.parametrize("weight", ["123456789012345678", "0.1234567890123456789012345", '"7"', '"0.5"'])
def test_a_weight_between_marks(file, ends, mark, weight):
    path = file("a.csv", f"u{mark}v{mark}w{mark}x\n{ends.format(mark)}{mark}{weight}{mark}y\n")
    with open(path, "a") as lines:
        lines.write("\t\t\t\n\t# c\n")
    (w,) = read(path).w.tolist()
    assert str(w) == str(json.loads(weight.strip('"')))


def test_the_number_of_vertices(file):
    path = file("a.csv", "# boruvka n=9\nu,v,w\n0,1,5\n# boruvka n=2\n")
    assert read(path).n == 9
    assert read(path, n=20).n == 20
    with pytest.raises(FormatError, match=r":3: expected ids from 0 to 0, found '0,1,5'"):
        read(path, n=1)


@pytest.mark.parametrize("ends", ["ab", "01"])
@pytest.mark.parametrize("missing", ["error", "drop"])
def test_a_reverse_cost_that_is_no_number(file, ends, missing):
    """The column counts only where a cost is negative."""
    head, line = "source,target,cost,reverse_cost\n", ",".join(ends)
    path = file("a.csv", f"{head}{line},5,yes\n{line},6,no\n")
    graph = read(path, missing=missing)
    assert graph.w.tolist() == [5, 6]
    assert boruvka.stream.minimum_spanning_forest(path, missing=missing).edges.tolist() == [0]
    path = file("a.csv", f"{head}{line},5,yes\n{line},-1,no\n")
    with pytest.raises(FormatError, match=r"a\.csv:2: expected"):
        read(path, missing=missing)
