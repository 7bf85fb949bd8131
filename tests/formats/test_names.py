"""Names of vertices in files: read, written, or refused."""

import csv
import io

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from boruvka import Graph, minimum_spanning_forest, stream, verify
from boruvka.errors import FormatError, GraphError, GraphWarning, OptionError
from boruvka.formats import FORMATS, check_output, read, read_forest, write
from boruvka.formats.edge_file import FileChunk
from boruvka.formats.reading import read_chunk
from boruvka.formats.text.lines import kernels
from tests.formats.helpers import NEEDS_ZSTANDARD, WRITTEN, assert_malformed, path_for
from tests.oracles import kruskal

TABLES = ["csv", "tsv", "edges"]
HOLD_NAMES = [*TABLES, "parquet", "npz"]
KEEP_ISOLATED = ["npz"]

NASTY = ["007", "7", "nan", "inf", "-1", "1e5", "#x", "%", "a,b", 'q"q', '"', "é", "日本", "x\r"]
NASTY += [
    "a;b",
    "a\tb",
    "\ufeffb",
    "\xa0",
    "a b",
    "null",
    "\\",
    "'",
    "u",
    "# boruvka n=5",
    "x" * 300,
]
texts = st.sampled_from(NASTY) | st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4)
strings = texts.filter(lambda name: name.strip(" \t\n\r\v\f"))  # blank ones are missing ends
in_a_field = strings.filter(lambda name: name.strip(" \t") == name and "\n" not in name)
between_blanks = strings.map(
    lambda name: "".join(c for c in name if c not in "\0 \t\r\n\x0b\x0c,;").lstrip("#%\ufeff")
).filter(lambda name: name not in ("", "|"))
integers = st.integers(-(2**63), 2**63 - 1) | st.integers(0, 9)


@st.composite
def named_graphs(draw, names):
    """Graphs without isolated vertices, numbered as a reader numbers them."""
    found = draw(st.lists(names, min_size=1, max_size=8, unique=True))
    vertex = st.sampled_from(found)
    pairs = draw(st.lists(st.tuples(vertex, vertex), min_size=1, max_size=12))
    w = draw(st.lists(st.integers(-9, 9), min_size=len(pairs), max_size=len(pairs)))
    return Graph.from_edges([a for a, _ in pairs], [b for _, b in pairs], np.array(w), names=True)


def named_edges(graph):
    return [
        (graph.names[u], graph.names[v], w)
        for u, v, w in zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True)
    ]


def kruskal_by_names(edges):
    """Find the indices of the minimum spanning forest, in plain Python over names."""
    tree = {name: {name} for u, v, _ in edges for name in (u, v)}
    chosen = []
    for i in sorted(range(len(edges)), key=lambda i: (edges[i][2], i)):
        u, v, _ = edges[i]
        if tree[u] is not tree[v]:
            chosen.append(i)
            tree[u] |= tree[v]
            for name in tree[v]:
                tree[name] = tree[u]
    return sorted(chosen)


def check_round_trip(graph, name, tmp_path, compression=""):
    path, how = path_for(tmp_path, name, compression)
    write(graph, path, **how)
    back = read(path, **how)
    assert back.names.tolist() == graph.names.tolist()
    assert [type(x) for x in back.names.tolist()] == [type(x) for x in graph.names.tolist()]
    assert named_edges(back) == named_edges(graph)
    forest = minimum_spanning_forest(back)
    assert forest.edges.tolist() == kruskal_by_names(named_edges(graph))
    write(forest, path, **how)
    found = read_forest(path, graph, **how).tolist()
    if name != "edges":  # which has no indices: parallel edges of the same weight are taken in order
        assert found == forest.edges.tolist()
    assert verify(graph, found).ok


@pytest.mark.filterwarnings("ignore:.*is the name of a vertex")
@pytest.mark.parametrize("name", ["csv", "tsv"])
@given(graph=named_graphs(in_a_field))
def test_nasty_names_come_back_in_tables(name, graph, tmp_path):
    check_round_trip(graph, name, tmp_path)


@pytest.mark.filterwarnings("ignore:.*is the name of a vertex")
@pytest.mark.parametrize("name", ["parquet", "npz"])
@given(graph=named_graphs(strings))
def test_nasty_names_come_back(name, graph, tmp_path):
    if name == "npz" and any(n.endswith("\0") for n in graph.names):
        with pytest.raises(FormatError, match="choose Parquet"):
            write(graph, tmp_path / "a.npz")
        return
    check_round_trip(graph, name, tmp_path)


@pytest.mark.filterwarnings("ignore:.*is the name of a vertex")
@given(graph=named_graphs(between_blanks))
def test_nasty_names_come_back_between_blanks(graph, tmp_path):
    check_round_trip(graph, "edges", tmp_path)


@pytest.mark.parametrize("name", HOLD_NAMES)
@given(graph=named_graphs(integers))
def test_integers_come_back(name, graph, tmp_path):
    check_round_trip(graph, name, tmp_path)


@pytest.mark.parametrize("compression", [".gz", pytest.param(".zst", marks=NEEDS_ZSTANDARD)])
@pytest.mark.parametrize("name", HOLD_NAMES)
def test_compressed(name, compression, tmp_path):
    check_round_trip(Graph.from_edges(["007", "b"], ["b", "c"], [2, 1]), name, tmp_path, compression)


def test_comments_and_blanks(tmp_path):
    rows = [(f"v{i % 17}", f"v{i * i % 23}", i % 7) for i in range(300)]
    lines = [f"{u}   {v}\t{w}" for u, v, w in rows]
    (tmp_path / "a.txt").write_text("# c\n\n" + "\n".join(lines) + " \r\n  % c\n\n")
    (tmp_path / "a.csv").write_text("u,v,w\n" + '\n#"c\n\n'.join(f'"{u},",{v},{w}' for u, v, w in rows))
    graph = read(tmp_path / "a.txt")
    assert named_edges(graph) == rows
    assert named_edges(read(tmp_path / "a.csv")) == [(f"{u},", v, w) for u, v, w in rows]
    forest = minimum_spanning_forest(graph)
    assert forest.edges.tolist() == kruskal_by_names(rows)
    assert forest.edges.tolist() == kruskal(graph.n, graph.u, graph.v, graph.w)


@pytest.mark.parametrize("end", ["", "\n", " ", "\t", " \n", "  ", "\r\n"])
@pytest.mark.parametrize("begin", ["", "# c\n"])
def test_the_end_of_the_only_line(file, begin, end):
    for content, names in (f"a b 1{end}", ["a", "b"]), (f"9 2 1{end}", [9, 2]):
        graph = read(file("a.txt", begin + content), names=True)
        assert (graph.m, graph.names.tolist()) == (1, names)


@pytest.mark.parametrize(
    ("content", "names"),
    [
        ("u,v,w\nulm,bonn,5\nbonn,kiel,2\n", ["ulm", "bonn", "kiel"]),
        ("ulm,bonn,5\n1,2,2\n", ["ulm", "1", "bonn", "2"]),
        ('"u,lm",bonn,5\r\n"b ""c""",kiel,2\r\n', ["u,lm", 'b "c"', "bonn", "kiel"]),
        ('"u,lm", bonn,5\n bonn ,"kiel",2\n', ["u,lm", "bonn", "kiel"]),
        ("# c\nulm , bonn,5\n\n%\nbonn,kiel , 2\n", ["ulm", "bonn", "kiel"]),
        ("a;b;from;to;cost\n1;x;ulm;bonn;5\n;;bonn;kiel;2\n", ["ulm", "bonn", "kiel"]),
        ("# boruvka names=strings\n007,7,5\n1,2,2\n", ["007", "1", "7", "2"]),
        ("# boruvka names=integers\n70,7,5\n1,2,2\n", [70, 1, 7, 2]),
    ],
)
def test_names_are_found(file, content, names):
    graph = read(file("a.csv", content))
    assert graph.names.tolist() == names
    assert graph.w.tolist() == [5, 2]
    assert graph.w.dtype == np.int64


def test_integers_are_names_on_request(file):
    path = file("a.csv", f"u,v,w\n{10**18},7,5\n-3,7,2.5\n")
    graph = read(path, names=True)
    assert (graph.n, graph.names.tolist()) == (3, [10**18, -3, 7])
    assert graph.w.tolist() == [5, 2.5]
    assert read(file("b.csv", "007,7,5\n"), names=True).names.tolist() == ["007", "7"]
    assert read(file("b.csv", f"0,{2**64 - 1},5\n"), names=True).names.tolist() == [0, 2**64 - 1]
    assert read(file("b.csv", "0,1,5\n")).names is None


def test_weights_are_exact(file):
    path = file("a.csv", f"a,b,{2**63 + 1}\nb,c,7\n")
    assert read(path).w.tolist() == [2**63 + 1, 7]
    assert read(path).w.dtype == np.uint64
    texts = ["0.1", "1e-320", "5e300", "123456789.123456789", "-0.3333333333333333148", "inf"]
    path = file("a.csv", "".join(f"a,b{i},{w}\n" for i, w in enumerate(texts)))
    assert read(path).w.tolist() == [float(w) for w in texts]
    assert read(file("a.txt", "a b\n"), unweighted=True, header=False).w.tolist() == [1]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("u,v,w\na,b,5\n\nc,,5\n", 4, "1 row has no end"),
        ('u,v,w\na,b,5\n"",d,5\n', 3, "1 row has no end"),
        ("u,v,w\na,b,5\n  ,d,5\n", 3, "1 row has no end"),
        ("u,v,w\na,b,5\nc,d,\n", 3, "1 row has no weight"),
        ("u,v,w\na,b,5\nc,d\n", 3, "expected 'u,v,w' between commas, found 'c,d'"),
        ("u,v,w\na,b,5\nc,d,5,6\n", 3, "expected 'u,v,w' between commas, found 'c,d,5,6': 4 fields, not 3"),
        ("u,v,w\na,b\nc,d,5\n", 2, "expected 'u,v,w' between commas"),
        ('u,v,w\n"a,x",b,5\n# c\n\nc,d,x\n', 5, "expected a number as weight, found 'c,d,x'"),
        ('u,v,w\n"a",b,5\n"c,d",d,x\n', 3, "expected a number as weight, found '\"c,d\",d,x'"),
        ("u,v,w\na,b,5\nc,d,nan\n", 3, "NaN is not a weight"),
        ("u,v,w\na,b,5.5\nc,d,1e400\n", 3, "1e400 is beyond the range of float64"),
        ("u,v,w\na,b,5.5\nc,d,9007199254740993\n", 3, "has no exact float64"),
        ("u,v,w\na,b,-5\nc,d,9223372036854775808\n", 2, "no 64-bit integer type"),
        ("u,v,w\na,b,5\nc,d,1 2\n", 3, "expected a number as weight"),
        ('u,v,w\na,b,5\n"c\n2",d,1\n', 3, "read_csv(FILE).write_parquet(...) takes line breaks"),
        ("u,v,w\na,b,5\nc,d,\0\n", 3, "expected a number as weight"),
        ('u,v,w\na,b,5\n"c,d,1\n', 3, "a quote is not closed"),
        ('u,v,w\na,b,5\nc"x,d,1\n', 3, "a quote is not closed"),
        ('u,v,w\na,b,5\n"c"x,d,1\n', 3, "expected after"),
        ("u,v,w\na,ö,5\n".encode() + b"\xff,d,1\n", 3, "expected text in UTF-8"),
        ('u,v,w\n"a,b",c,5\nc," a",5\na,c,5\n', 3, "remove the blanks beside the quotes of ' a'"),
        ('u,v,w\n"a,b",c,5\nc, "a",5\na,c,5\n', 3, "remove the blanks beside the quotes"),
        ("u,v,w\n0,1,5\nalice,1,5\n", 3, "or names, with names=True, found 'alice,1,5'"),
        (f"u,v,w\n0,1,5\n{10**15},1,5\n", 3, "or names, with names=True, found"),
    ],
)
def test_malformed_names(file, content, line, message):
    assert_malformed(file("a.csv", content), line, message)


LONG = ["client-01", "client-02", "abcdefg", "abcdefgh", "abcdefghi", "New York-New York", "日本橋-1234"]
short = st.text('ab0é日," ', min_size=1).filter(lambda name: name.strip() == name)
rows_of_names = st.lists(st.tuples(*[st.sampled_from(LONG) | short] * 2), min_size=1)


def one_key_for_long_names(text, spans, keys, make_keys=kernels.make_keys):
    make_keys(text, spans, keys)
    keys[spans & kernels.SPAN_MASK >= 8] = 1 << 63


@given(
    rows_of_names,
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
)
@example([("ab", "ba"), ("ba", "ab"), ("é", "a")], csv.QUOTE_MINIMAL, "\n", False)
@example([("client-01", "client-02")], csv.QUOTE_ALL, "\n", True)
@example([("a client-01", "b client-01")], csv.QUOTE_MINIMAL, "\n", True)
@example([("abcdefghi", "abcdefgh")], csv.QUOTE_MINIMAL, "\r\n", False)
@pytest.mark.parametrize("have_one_hash", [False, True])
def test_names_are_those_that_csv_reads(have_one_hash, rows, quoting, end, header):
    writer = csv.writer(text := io.StringIO(), quoting=quoting, lineterminator=end)
    writer.writerows([["u", "w", "x", "v"]] * header)
    writer.writerows([u, k, 'x "y", z', v] for k, (u, v) in enumerate(rows))
    with pytest.MonkeyPatch.context() as patch:
        if have_one_hash:
            patch.setattr(kernels, "make_keys", one_key_for_long_names)
        source = io.BytesIO(text.getvalue().encode())
        graph = read(source, format="csv", columns=(0, 3, 1), names=True, header=header)
    u, v = zip(*rows, strict=True)
    assert list(map(str, graph.names)) == list(dict.fromkeys(u + v))
    assert [(str(u), str(v)) for u, v, _ in named_edges(graph)] == rows
    assert graph.w.tolist() == list(range(len(rows)))


def test_malformed_names_between_blanks(file):
    assert_malformed(
        file("a.txt", "# c\n a  b 5\n\nc d\n"), 4, "expected 'u v w' between blanks, found 'c d'"
    )
    assert_malformed(file("a.txt", "a b 5\nc d x\n"), 2, "expected a number as weight, found 'c d x'")
    assert_malformed(file("a.txt", "a b 5\n"), 1, "with whole numbers as ids", names=False)
    assert_malformed(file("a.txt", "a b\n"), 1, "pass unweighted=True, header=False", unweighted=True)


FIRST_ENDS = {"numbers": ("1", "2"), "names": ("a", "b"), "quoted": ('"a,x"', '"b""y"')}


@pytest.mark.filterwarnings("ignore:vertex 0 has no edge:boruvka.errors.GraphWarning")
@pytest.mark.parametrize("ends", FIRST_ENDS)
@pytest.mark.parametrize("columns", [(0, 1, 2), (0, 2, 3), (0, 1, 4)])
@pytest.mark.parametrize("counts", [(5, 5), (5, 4), (5, 3), (5, 6), (4, 6), (6, 4), (2, 5), (5, 10)])
def test_every_line_has_as_many_fields_as_the_first(file, ends, columns, counts):
    u, v = FIRST_ENDS[ends]
    fields = [u, "1", "2", "3", "4", *"99999"]
    fields[columns[1]] = v
    last_is_empty = [*fields[:4], "" if columns[2] < 4 else "4"]
    records = [",".join(line) for line in (fields[:5], last_is_empty, *(fields[:count] for count in counts))]
    path = file("a.csv", "\n".join(records))
    wrong = next((i for i, count in enumerate(counts) if count != 5), None)
    if wrong is None:
        assert read(path, columns=columns, header=False).m == 4
    else:
        line = 1 + "\n".join(records[: 2 + wrong]).count("\n") + 1
        assert_malformed(path, line, "expected '", columns=columns, header=False)


def test_quotes_inside_of_names_are_no_end_of_a_field(file):
    path = file("a.tsv", 'u\tv\tw\tx\n5" pipe\t8" pipe\t1\t2\na\tb\t3\t4\n')
    assert named_edges(read(path)) == [('5" pipe', '8" pipe', 1), ("a", "b", 3)]
    path = file("a.txt", 'u v w x\n5" 8" 1 2\na"b c 3 4')
    assert named_edges(read(path)) == [('5"', '8"', 1), ('a"b', "c", 3)]


@pytest.mark.parametrize("name", ["parquet", "arrow", "npz", "graphml", "gml"])
def test_a_weight_of_nan_is_reported_by_the_names_of_its_ends(tmp_path, name):
    path, chosen = path_for(tmp_path, name)
    graph = Graph.from_edges(["bob", "bob"], ["eve", "alice"], [1.5, 2.5])
    graph._initialise(w=np.array([1.5, np.nan]), _shared=())  # which is not checked again
    write(graph, path, **chosen)
    says = "the weight NaN" if name in ("parquet", "arrow", "npz") else "nan as attribute 'weight', no number"
    assert_malformed(path, None, f"edge 1 ('bob', 'alice') has {says}", **chosen)


def test_options_of_names(file):
    path = file("a.csv", "a,b,5\n")
    for how in {"n": 5}, {"one_based": True}:
        with pytest.raises(OptionError, match="names are numbered as they appear"):
            read(path, **how)
    with pytest.raises(OptionError, match="names must be True or False"):
        read(path, names=["a", "b"])
    with pytest.raises(OptionError, match="does not take names"):
        read(file("a.gr", "p sp 2 1\na 1 2 5\n"), names=True)


@pytest.mark.parametrize("kind", ["String", "Categorical", "Enum"])
def test_parquet_columns_of_names(tmp_path, kind):
    pl = pytest.importorskip("polars")
    path, kind = tmp_path / "a.parquet", pl.Enum(["a", "b", "c"]) if kind == "Enum" else getattr(pl, kind)
    ends = {"u": pl.Series(["a", "b"], dtype=kind), "v": pl.Series(["b", "c"], dtype=kind)}
    pl.DataFrame({**ends, "w": [2.5, 1]}).write_parquet(path)
    assert named_edges(read(path)) == [("a", "b", 2.5), ("b", "c", 1)]
    with pytest.raises(FormatError, match="expected numbers of at most 64 bits in column 'u'"):
        read(path, names=False)
    with pytest.raises(OptionError, match="names are numbered"):
        read(path, n=7)


def test_parquet_integers_as_names(tmp_path):
    pl = pytest.importorskip("polars")
    path = tmp_path / "a.parquet"
    pl.DataFrame({"u": [10**12, 5], "v": [7, 5], "w": [1, 2]}).write_parquet(path)
    assert named_edges(read(path, names=True)) == [(10**12, 7, 1), (5, 5, 2)]
    pl.DataFrame({"u": ["a", None], "v": ["b", "c"], "w": [1, 2]}).write_parquet(path)
    with pytest.raises(FormatError, match="row 1 has no value in column 'u'"):
        read(path)
    pl.DataFrame({"u": [1.5], "v": [2.5], "w": [1]}).write_parquet(path)
    with pytest.raises(FormatError, match="expected strings, or integers"):
        read(path, names=True)


def test_parquet_of_pyarrow_with_dictionaries(tmp_path):
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    ends = pa.array(["x", "y", "x"]).dictionary_encode()
    parquet.write_table(pa.table({"u": ends, "v": ["y", "z", "z"], "w": [1, 2, 3]}), tmp_path / "a.parquet")
    assert named_edges(read(tmp_path / "a.parquet")) == [("x", "y", 1), ("y", "z", 2), ("x", "z", 3)]


@pytest.mark.parametrize("name", HOLD_NAMES)
def test_vertices_without_an_edge(name, tmp_path):
    path, how = path_for(tmp_path, name)
    graph = Graph(4, [0, 1, 3], [1, 0, 3], [5, 4, 1]).with_names(["a", "b", "c", "d"])
    if name in KEEP_ISOLATED:
        write(graph, path, **how)
        assert read(path, **how).names.tolist() == ["a", "b", "c", "d"]
    else:
        with pytest.raises(FormatError, match=r"vertex 'c' has no edge.*choose npz"):
            write(graph, path, **how)
        assert list(tmp_path.iterdir()) == []
    forest = minimum_spanning_forest(graph)
    assert forest.edges.tolist() == [1]
    write(forest, path, **how)
    assert read_forest(path, graph, **how).tolist() == [1]
    empty = minimum_spanning_forest(Graph(2, [0], [0], [1]).with_names(["a", "b"]))
    write(empty, path, **how)
    assert read_forest(path, empty.graph, **how).tolist() == []


@pytest.mark.parametrize("chosen", [f for f in FORMATS if not f.codec.holds.names], ids=lambda f: f.name)
def test_formats_without_names(chosen, tmp_path):
    graph = Graph.from_edges(["a"], ["b"], [5])
    path = tmp_path / "x"
    with pytest.raises(FormatError, match=r"holds no names.*csv.*parquet.*npz|is only read"):
        write(graph, path, format=chosen.name)
    with pytest.raises(FormatError, match=r"holds no names|is only read"):
        check_output(path, chosen.name, graph.names)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("names", "name", "message"),
    [
        ([1, "1"], "csv", "hold names that are all strings or all integers, these are int, str"),
        ([1, 2**64], "csv", "no 64-bit integer type holds all names"),
        (["a", ""], "csv", "the name '' cannot stand in text: it is empty"),
        (["a", "\ud800"], "csv", "is not valid Unicode"),
        (["a b", "c"], "edges", "the name 'a b' cannot stand between blanks; choose csv, tsv, Parquet"),
        (["a,b", "c"], "edges", "cannot stand between blanks"),
        (["#b", "c"], "edges", "cannot stand between blanks"),
        (["|", "c"], "edges", "cannot stand between blanks"),
        (["a\0", "c"], "edges", "cannot stand between blanks"),
        (["a ", "a"], "csv", "starts or ends with a blank; choose Parquet or npz"),
        (["a\nb", "a"], "tsv", "holds a newline"),
        (["a\0", "b"], "npz", "NumPy cuts the zero off"),
    ],
)
def test_names_that_a_format_cannot_hold(names, name, message, tmp_path):
    graph = Graph(2, [0], [1], [5]).with_names(names)
    path = tmp_path / "x"
    for refuse in (
        lambda: write(graph, path, format=name),
        lambda: check_output(path, name, graph.names),
    ):
        with pytest.raises(FormatError) as caught:
            refuse()
        assert message in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_texts_that_are_written(tmp_path):
    graph = Graph.from_edges(["Ulm", "x,y"], ["x,y", "Bonn am Rhein"], [5, 2.5])
    write(graph, tmp_path / "a.csv")
    assert (
        tmp_path / "a.csv"
    ).read_text() == 'source,target,weight\nUlm,"x,y",5.0\n"x,y",Bonn am Rhein,2.5\n'
    write(minimum_spanning_forest(graph), tmp_path / "a.tsv")
    assert (
        tmp_path / "a.tsv"
    ).read_text() == "edge\tsource\ttarget\tweight\n0\tUlm\tx,y\t5.0\n1\tx,y\tBonn am Rhein\t2.5\n"
    write(Graph.from_edges([70], [7], [5], names=True), tmp_path / "a.el")
    assert (tmp_path / "a.el").read_text() == "# boruvka names=integers\n70 7 5\n"
    write(Graph.from_edges(["70"], ["7"], [5]), tmp_path / "a.csv")
    assert (tmp_path / "a.csv").read_text() == "# boruvka names=strings\nsource,target,weight\n70,7,5\n"


def test_forests_of_other_graphs(file):
    graph = read(file("g.csv", "a,b,5\nb,c,2\n7,b,3\n"))
    assert read_forest(file("f.csv", "u,v,w\nc,b,2\nb,7,3\n"), graph).tolist() == [1, 2]
    with pytest.raises(
        GraphError, match=r"row 2 of the forest .*the vertex is 'x', which the graph does not"
    ):
        read_forest(file("f.csv", "u,v,w\nc,b,2\nb,x,3\n"), graph)
    with pytest.raises(GraphError, match=r"row 1 of the forest .*no edge is between \('a', 'c'\)"):
        read_forest(file("f.csv", "u,v,w\na,c,2\n"), graph)
    with pytest.raises(
        GraphError, match=r"row 1 of the forest .*it is edge 1 \('a', 'b'\).* is \('b', 'c'\) of weight 2"
    ):
        read_forest(file("f.csv", "edge,source,target,weight\n1,a,b,5\n"), graph)
    numbered = read(file("n.csv", "0,1,5\n1,2,2\n"))
    with pytest.raises(GraphError, match="the forest names its vertices, but the graph does not"):
        read_forest(file("f.csv", "a,b,5\n"), numbered)
    named = "# boruvka names=integers\nu,v,w\n2,1,2\n"
    assert read_forest(file("f.csv", named), numbered).tolist() == [1]
    with pytest.raises(GraphError, match="the vertex is 9"):
        read_forest(file("f.csv", named.replace("2,1", "9,1")), numbered)


@pytest.mark.parametrize("name", [f.name for f in WRITTEN if f.codec.holds.names])
@pytest.mark.parametrize(
    "names", [["06", "6 "], ["6", "06"], [10**12, 7], ["10", "7"], [0, 1], [2**64 - 1, 3]]
)
def test_names_that_look_like_numbers(name, names, tmp_path):
    path, how = path_for(tmp_path, name)
    graph = Graph(2, [0], [1], [5]).with_names(np.array(names, object))
    are_refused = {
        "arrow": isinstance(names[0], int),
        "matrix": True,  # of networks; tests of the format write distances with names
        **dict.fromkeys(TABLES, "6 " in names),
        **dict.fromkeys(["graphml", "gexf", "gml"], names == ["10", "7"]),
    }
    if are_refused.get(name, False):
        with pytest.raises(FormatError):
            write(graph, path, **how)
    else:
        write(graph, path, **how)
        back = read(path, **how)
        assert repr(names if back.names is None else back.names.tolist()) == repr(names)


@pytest.mark.parametrize("name", HOLD_NAMES)
def test_parts(name, tmp_path):
    graph = Graph.from_edges(["a", "a", "b", "c", "d"], ["b", "d", "c", "d", "e"], [1, 2, 3, 4, 5])
    path, how = path_for(tmp_path, name)
    write(graph, path, **how)
    parts = [read_chunk(path, FileChunk(k, 3), **how) for k in range(3)]
    assert all(part.names.tolist() == graph.names.tolist() for part in parts)
    for column in "uvw":
        assert np.concatenate([getattr(p, column) for p in parts]).tolist() == getattr(graph, column).tolist()


def test_npz_names_are_checked(tmp_path):
    arrays = {"n": 2, "u": np.array([0]), "v": np.array([1]), "w": np.array([1])}
    np.savez(tmp_path / "a.npz", names=np.array([0.5, 1]), **arrays)
    assert_malformed(tmp_path / "a.npz", None, "expected strings or integers as names, found float64")
    np.savez(tmp_path / "a.npz", names=np.array(["a", "a"]), **arrays)
    assert_malformed(tmp_path / "a.npz", None, "two vertices have the name 'a'")
    np.savez(tmp_path / "a.npz", names=np.array([7, 7]), **arrays)
    assert_malformed(tmp_path / "a.npz", None, "two vertices have the name 7")
    np.savez(tmp_path / "a.npz", names=np.array(["a", "\ud800"]), **arrays)
    assert_malformed(tmp_path / "a.npz", None, "is not valid Unicode")
    beyond = np.array([0x110000, 1], np.uint32).view("<U1")
    np.savez(tmp_path / "a.npz", names=beyond, **arrays)
    assert_malformed(tmp_path / "a.npz", None, "a name has a character that does not exist")
    np.savez(tmp_path / "a.npz", names=np.array(["a", "b", "c"]), **arrays)
    assert_malformed(tmp_path / "a.npz", None, "one name for each of the 2 vertices")


def test_an_id_with_leading_zeros_is_announced(file, recwarn):
    """Such ids are numbers without ``names``; zeros of weights and of numbers alone do not count."""
    path = file("z.csv", "source,target,weight\n00123,00456,5\n123,456,3\n00456,123,7\n")
    for load in read, stream.minimum_spanning_forest:
        with pytest.warns(GraphWarning, match="'00123' and '123' are one vertex, as ids .* pass names=True"):
            load(path)
    rows = "".join(f"{k},{k + 1},7\n" for k in range(5000))
    for delimiter in ",;\t":
        with pytest.warns(GraphWarning, match="'07' and '7' are one vertex"):
            read(file("late.csv", f"u,v,w\n{rows}3,07,0\n1,8,00\n{rows}".replace(",", delimiter)))
    for content in (
        f"w,u,v\n{rows}7,1,07\n{rows}",
        "u,v,w,x\n0,1,1,x\n1, 07,.5,x\n",
        f"u,v,w\n{rows}07,1,1e3\n{rows}",
    ):
        with pytest.warns(GraphWarning, match="'07' and '7' are one vertex"):
            read(file("late.csv", content), columns=("u", "v", "w"))
        with pytest.warns(GraphWarning, match="'07' and '7' are one vertex"):
            stream.minimum_spanning_forest(
                io.BytesIO(content.encode()), columns=("u", "v", "w"), format="csv"
            )
    recwarn.clear()
    assert (read(path, names=True).n, read(path, names=False).n) == (4, 457)
    read(file("w.csv", "source,target,weight\n0,10,005\n100,20,0.01\n"))
    assert not [str(x.message) for x in recwarn if "one vertex" in str(x.message)]
