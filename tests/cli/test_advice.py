"""Advice on a file that cannot be read as edges: what it says to pass works, and is what the file holds."""

import io
import json
import re
import shlex
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy.sparse.csgraph import minimum_spanning_tree

import boruvka
import boruvka.formats.points
from boruvka.errors import FormatError

CUSTOMERS = [(f"C-{k * 37 % 100:03}", k * 7.25, k % 9 + 0.5, "ab"[k % 2] * 2) for k in range(60)]


def table(header, rows):
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


TABLES = {
    "ids and fractions": (table("customer_id,days,orders,segment", CUSTOMERS), ["--points"]),
    "gaps": (
        table("customer_id,days,orders,segment", [("C-x", "", 5, "aa"), *CUSTOMERS]),
        ["--points --missing drop"],
    ),
    "texts": (
        table("who,segment,days,orders", [(a, d, b, c) for a, b, c, d in CUSTOMERS]),
        ["--points --id who"],
    ),
    "whole numbers": (
        table("customer_id,age,visits,eur", [(k, 20 + k % 40, k % 3, k * 7) for k in range(50)]),
        ["--points"],
    ),
    "ids and one weight": (
        table("customer_id,age,eur", [(k, 20 + k % 40, k * 7) for k in range(50)]),
        ["--points", "--columns customer_id,age,eur"],
    ),
    "ends whose names are known": ("id;od;do;cena\n1;A;B;5\n2;B;C;6\n", ["--columns od,do,cena"]),
    "ends whose names are not known": ("id;von;nach;cena\n1;A;B;5\n2;B;C;6\n3;A;C;6\n", []),
    "names of ends": (
        table("a,b,km,h", [(f"v{k}", f"v{k + 1}", 5, 2.5) for k in range(50)]),
        ["--columns a,b,km"],
    ),
    "two kinds of names": (
        table("buyer,product,eur", [(f"c{k}", f"p{k % 5}", k) for k in range(50)]),
        ["--columns buyer,product,eur"],
    ),
    "phone numbers": (
        table("a,b,s,cost", [(f"+4206{k:08}", f"+4206{k * 7 % 9:08}", k % 5, k / 4) for k in range(50)]),
        ["--columns a,b,cost --names"],
    ),
    "payments": (
        table(
            "tx_id,kunde,lieferant,eur,currency",
            [(k, f"f{k * 7 % 9}", f"f{k % 5}", k / 4, "EUR") for k in range(50)],
        ),
        ["--columns kunde,lieferant,eur"],
    ),
    "two answers": (
        table("id,a,b,eur,age", [(k, "yn"[k % 2], "yn"[k // 2 % 2], k / 4, k % 50) for k in range(50)]),
        ["--points"],
    ),
    "pairs of records": (
        table("block,right_id,km,left_id", [("xy"[k % 2], f"b{k}", 0.5, f"a{k}") for k in range(50)]),
        ["--columns left_id,right_id,km"],
    ),
    "similarities": (
        table("id1,id2,score", [(f"a{k}", f"b{k}", 0.5) for k in range(50)]),
        ["--columns id1,id2,score --maximum"],
    ),
    "profiles with zeros": (
        table(
            "#Name,ST," + ",".join(f"S_{k}" for k in range(9)),
            [(f"s{k}", k, 0, *range(8)) for k in range(20)],
        ),
        ["--profiles --missing ignore"],
    ),
    "profiles of PubMLST": (
        table(
            "id,isolate," + ",".join(f"K_{k}" for k in range(60)) + ",sampled",
            [(k, f"s{k}", "1;2" if k < 5 else 3, *range(1, 60), "2026-01-05") for k in range(1, 30)],
        ),
        ["--profiles"],
    ),
    "numbers of ends": (table("a,b,km,h", [(k, k + 1, 5, 2.5) for k in range(50)]), ["--columns a,b,km"]),
}


@pytest.mark.parametrize(
    "text",
    [
        "A-B 4\nB-C 3\nA-C 5\n",
        "edge,weight\nA-B,4\nB-C,3\n",
        "1-2 4\n2-3 3\n",
        "AB 7\nBC 2\n",
        "edge,length\nAB,7\nBC,2\n",
    ],
)
def test_advice_on_ends_in_one_column(text, tmp_path, run):
    (tmp_path / "t.txt").write_text(text)
    error = run("solve", tmp_path / "t.txt").err
    assert "there is no column of weights" in error
    assert "unweighted" not in error


@pytest.mark.parametrize("bad", ["l0", "7km", ""])
def test_advice_on_a_column_with_a_bad_weight(bad, tmp_path, run):
    """The advice names the column; reading it then names the bad weight, so that none becomes 1."""
    path = tmp_path / "t.csv"
    path.write_text(f"from,to,km\nA,B,4\nB,C,{bad}\nA,C,7\n")
    error = run("solve", path).err
    assert error.strip().endswith("it looks like edges: pass --columns from,to,km")
    assert re.search(r"t.csv:3: .*weight", run("solve", path, "--columns", "from,to,km").err)
    with pytest.raises(FormatError, match=r"pass columns=\('from', 'to', 'km'\)$"):
        boruvka.read(path)
    path.write_text("from,to,date\nA,B,2020-01-01\nB,C,2020-01-02\n")
    with pytest.raises(FormatError, match=r"pass columns=\('from', 'to'\), unweighted=True$"):
        boruvka.read(path)


@pytest.mark.parametrize("bad", [",K1,0.5", "K1,K4,0.5,x", "K9,K4"])
def test_advice_despite_a_bad_row(bad, tmp_path, run):
    """The advice names the columns; reading them then names the row, or leaves it out."""
    path = tmp_path / "t.csv"
    rows = "".join(f"K{k},K{k * 2},0.{k}\n" for k in range(1, 9))
    path.write_text(f"customer,partner,score\n{rows}{bad}\n")
    advice = "--columns customer,partner,score --maximum"
    assert run("solve", path).err.strip().endswith(f"it looks like edges: pass {advice}")
    assert "t.csv:10:" in run("solve", path, *advice.split()).err


def test_advice_on_the_distances_of_ska(tmp_path, run):
    path = tmp_path / "ska.tsv"
    path.write_text(
        "Sample 1\tSample 2\tMatches\tMismatches\tSNPs\nA\tB\t9\t1\t4\nB\tC\t8\t2\t3\nA\tC\t9\t0\t5\n"
    )
    assert run("solve", path).err.strip().endswith("pass --columns 'Sample 1,Sample 2,SNPs'")
    assert boruvka.read(path, columns=("Sample 1", "Sample 2", "SNPs")).w.tolist() == [4, 3, 5]


def test_no_advice_on_columns_that_are_found(tmp_path, run):
    (tmp_path / "t.csv").write_text("u,v,w\na,b,1\nb,c,2\nc,d,3\n")
    for option in ["--node"], ["--min-periods", "3"]:
        assert "it looks like" not in run("solve", tmp_path / "t.csv", *option).err


@pytest.mark.parametrize(("text", "advice"), TABLES.values(), ids=TABLES)
def test_advice_on_tables(text, advice, tmp_path, run):
    path = tmp_path / "t.csv"
    path.write_text(text)
    found = re.findall("(?:points|edges|alleles): pass ([^;\n]*?)(?=, or |$)", run("solve", path).err.strip())
    assert found == advice
    for options in found:
        assert run("solve", path, *shlex.split(options), "--quiet").code == 0
    if any("points" in options for options in advice):
        reader = boruvka.formats.points.read_points
        with pytest.raises(FormatError, match=r"it looks like points: .*read_points\(path") as caught:
            boruvka.read(path)
        call = re.search(r"boruvka\.formats\.points\.(read_points\(.*?\)) reads", str(caught.value))[1]
        with warnings.catch_warnings(action="ignore"):
            points = eval(call, {"read_points": reader, "path": path})
        expected = pd.read_csv(path, index_col=0).select_dtypes("number").dropna()
        assert points.coordinates.tolist() == expected.to_numpy().tolist()
        assert list(map(str, points.names)) == list(map(str, expected.index))


@pytest.mark.parametrize(
    "text",
    [
        "[[0, 7, 5], [7, 0, 4], [5, 4, 0]]\n",
        "(1, 2, 7),\n(2, 3, 4),\n(1, 3, 5)\n",
        "[[0, 7, 5],\n [7, 0, 4],\n [5, 4, 0]]\n",
    ],
)
def test_advice_on_lists_of_python(text, tmp_path, run):
    (tmp_path / "t.txt").write_text(text)
    assert "it looks like a list as Python writes it" in run("solve", tmp_path / "t.txt").err


NOTATIONS = [
    ("0 7 0 5\n7 0 8 9\n0 8 0 1\n", "a matrix of 3 rows and 4 columns, whose last row is missing"),
    ("A B 4km\nB C 5km\nA C 2km\n", "edges whose weights have the unit km: remove it"),
    ("source target km\nA B 4 km\nB C 5 km\nA C 7 km\n", "edges whose weights have the unit km: remove it"),
    ("0 & 2 & 0 & 6 \\\\\n2 & 0 & 3 & 8 \\\\\n0 & 3 & 0 & 7 \\\\\n6 & 8 & 7 & 0\n", "a table of LaTeX: sed "),
    ("\\begin{pmatrix}\n0 & 2 \\\\\n2 & 0\n\\end{pmatrix}\n", "a table of LaTeX: sed "),
    ("|  | A | B |\n|---|---|---|\n| A | - | 2 |\n| B | 2 | - |\n", "a table of Markdown: sed "),
    *(
        (text, "lists of neighbours: write lines such as A B 4")
        for text in (
            "A: B(4), C(2)\nB: A(4), C(5)\nC: A(2), B(5)\n",
            "A | B 4, C 2\nB | A 4\nC | A 2\n",
            "A B 2.5 D 4\nB A 2.5 C 1\nC B 1 D 3\nD A 4 C 3\n",
            "A: B C\nB: A\nC: A\n",
            "#networkx\n# \na b h\nb h\nh g\ng\n",
            "#networkx\n# \na 2\nb {'weight': 4}\nh {'weight': 8}\nb 0\nh 0\n",
        )
    ),
    ("A - B 4\nB - C 5\nA - C 2\n", "edges with a sign between the ends: leave it out"),
    ("Edge,Weight\nAB,7\nAD,5\nBC,8\n", "edges whose ends are in one column: write A,B,7"),
    ("Edge;Weight\nA-B;7\nA-D;5.5\nB-C;8\n", "edges whose ends are in one column: write A,B,7"),
    ("ab 4\nbc 5\nac 2\n", "edges whose ends are in one column: write A,B,7"),
    ("ab 4, bc 5, ac 2\n", "edges whose ends are in one column: write A,B,7"),
    (
        '[("A", "B", 4), ("A", "C", 8)]\n',
        """a list as Python writes it: tr '])' '\\n\\n' < FILE | tr "[(,'\\"" ' '""",
    ),
    ("A -> B 4\nB -> C 5\nA -> C 2\n", "edges with a sign between the ends: leave it out"),
    ("graph {a -- b}\n", "a graph of Graphviz: write lines such as A B 4"),
    (
        "graph G {\n A -- B [label=4];\n B -- C [label=5];\n}\n",
        "a graph of Graphviz: write lines such as A B 4",
    ),
]


@pytest.mark.parametrize("none", ["0", "-", "9"])
@pytest.mark.parametrize("comma", [" ", ","])
def test_three_rows_below_labels(none, comma, tmp_path, run):
    """They look like edges below names of columns, too; as a matrix, they have the weight of SciPy."""
    rows = np.array([["A", "B", "C"], [none, "2", "3"], ["2", none, "1"], ["3", "1", none]])
    (tmp_path / "t.txt").write_text("\n".join(map(comma.join, rows)) + "\n")
    assert run("solve", tmp_path / "t.txt").err.endswith("it looks like a matrix: pass --format matrix\n")
    printed = run("solve", tmp_path / "t.txt", "--format", "matrix", "--json").out
    report = json.loads(printed)
    assert (report["vertices"], report["weight"]) == (
        3,
        minimum_spanning_tree(np.array([[0, 2, 3], [2, 0, 1], [3, 1, 0]])).sum(),
    )


@pytest.mark.parametrize(
    "text", ["ab\nbc\nac\n", "a-b\nb-c\na-c\n", "ab, bc, ac\n", "ab, bc, ac, ad\n", "ab 4\nbc 5\nac 2\n"]
)
def test_advice_on_a_tree_whose_ends_are_in_one_column(text, tmp_path, run):
    (tmp_path / "g.csv").write_text("a,b,4\nb,c,5\na,c,2\na,d,1\n")
    (tmp_path / "t.txt").write_text(text)
    error = run("verify", tmp_path / "g.csv", tmp_path / "t.txt").err
    assert error.endswith("; it looks like edges whose ends are in one column: write A,B,7\n")


@pytest.mark.parametrize("more", ["", "1 c d\n"])
def test_advice_on_weights_in_the_first_column(more, tmp_path, run):
    (tmp_path / "t.txt").write_text("4 a b\n8 a c\n3 b c\n" + more)
    error = run("solve", tmp_path / "t.txt").err
    assert error.endswith(
        "the third field of the first edge is not a weight; if it is first, pass --columns 1,2,0\n"
    )


@pytest.mark.parametrize("weights", [{"weight": 4}, 4])
def test_advice_on_dicts_as_json(weights, tmp_path, run):
    """What it says to write in Python makes the graph."""
    adjacent = {"a": {"b": weights}, "b": {"a": weights, "c": weights}, "c": {"b": weights}}
    frame = pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"], "weight": [4, 4]})
    for text in json.dumps(adjacent), frame.to_json():
        (tmp_path / "g.json").write_text(text)
        (call,) = re.findall(r"write (boruvka\..*\)) in Python", run("solve", tmp_path / "g.json").err)
        names = {"boruvka": boruvka, "pandas": pd, "json": json, "FILE": tmp_path / "g.json"}
        names["open"] = lambda path: io.StringIO(path.read_text())
        graph = eval(call, names)
        assert (graph.n, set(graph.w.tolist()), sorted(graph.names)) == (3, {4}, ["a", "b", "c"])


@pytest.mark.parametrize(("text", "advice"), NOTATIONS)
def test_advice_on_other_notations(text, advice, tmp_path, run):
    """Nothing that reads a wrong graph without an error is said to pass."""
    (tmp_path / "t.txt").write_text(text)
    error = run("solve", tmp_path / "t.txt").err
    assert f"; it looks like {advice}" in error
    assert "pass --" not in error.partition("; it looks like")[2]


@pytest.mark.parametrize("columns", [[], ["--columns", "record_a,b,s"], ["--columns", "record_a,record_b"]])
def test_times_in_a_table_are_no_neighbours(columns, tmp_path, run):
    rows = "x-1,y-2,0.5,r,2026-01-01 01:00:00\ny-2,z-3,0.25,,2026-01-01 01:00:00\n"
    (tmp_path / "t.csv").write_text(f"record_a,record_b,match_score,rule,seen_at\n{rows}")
    error = run("solve", tmp_path / "t.csv", *columns).err
    assert "neighbours" not in error
    assert columns or "pass --columns record_a,record_b,match_score" in error


def test_advice_on_a_table_in_another_encoding(tmp_path, run):
    path = tmp_path / "t.csv"
    path.write_bytes("D\u00e9part,Arriv\u00e9e,Temps\nA,B,3\nB,C,4\nC,A,5\n".encode("cp1252"))
    assert "pass --columns 'D\u00e9part,Arriv\u00e9e,Temps" in run("solve", path).err


SERIES = [(f"{day:02}.01.2023", day + 0.5, 2 * day + 0.25, day**2 / 7, "") for day in range(2, 30)]


@pytest.mark.parametrize("names", ["AAPL,X,MSFT,NA", "AAPL,1,MSFT,NA", "AAPL,BRK.B,INF,NA"])
def test_tables_of_prices(names, tmp_path, run):
    """The name of a share may be a number; dates are not the names of points."""
    path = tmp_path / "prices.csv"
    path.write_text(table(f"Date,{names}", SERIES))
    error = run("solve", path).err
    assert "it looks like time series, one in each column: write --format returns or --format prices" in error
    assert "--points" not in error
    assert "coordinates      3" in run("info", path, "--points").out
    frame = pd.read_csv(path, index_col=0, keep_default_na=False)
    dates = pd.to_datetime(frame.index, dayfirst=True).rename("ts")
    frame.iloc[:, :3].set_axis(dates).astype(float).reset_index().to_parquet(tmp_path / "prices.parquet")
    assert "it looks like time series, one in each column" in run("solve", tmp_path / "prices.parquet").err
    decimal = frame.iloc[:, :3].to_csv(sep=";", decimal=",")
    path.with_name("decimal.csv").write_text(decimal)
    assert (
        run("info", path.with_name("decimal.csv"), "--points").err.count("numbers have a decimal comma") == 1
    )
    frame.iloc[:, :3].T.rename_axis("ticker").to_csv(path)
    error = run("solve", path).err
    assert error.rstrip().endswith("it looks like points: pass --points --id ticker --metric correlation")
    options = "--points", "--id", "ticker", "--metric", "correlation"
    distances = 1 - frame.iloc[:, :3].astype(float).corr()
    expected = sum(sorted([distances.iloc[0, 1], distances.iloc[0, 2], distances.iloc[1, 2]])[:2])
    weight = float(re.search(r"\nweight +(\S+)", run("solve", path, *options).out)[1])
    assert weight == pytest.approx(expected)
    if not names.startswith("AAPL,X"):
        error = run("solve", path, "--points", "--metric", "correlation").err
        assert error.rstrip().endswith("or pass --id ticker if the column holds names")


def test_a_matrix_below_a_title(tmp_path, run):
    path = tmp_path / "rho.csv"
    names = list("ABCD")
    matrix = pd.DataFrame(
        [[1, 0.5, 0.2, 0.1], [0.5, 1, 0.3, 0], [0.2, 0.3, 1, 0.4], [0.1, 0, 0.4, 1]], names, names
    )
    path.write_text("Correlations 2021-2024\n\n" + matrix.to_csv())
    assert (
        run("solve", path)
        .err.rstrip()
        .endswith("it looks like a matrix below a title: remove the first line")
    )
    path.write_text(path.read_text().partition("\n")[2])
    assert run("solve", path, "--maximum").code == 0


@pytest.mark.parametrize("ending", ["parquet", "jsonl", "arrow", ""])
def test_columns_of_other_formats_get_the_advice_of_csv(ending, tmp_path, run):
    frame = pytest.importorskip("polars").DataFrame(
        {
            "id": [1, 2, 3],
            "a": list("xyz"),
            "b": list("yzx"),
            "score": [0.5, 0.6, 0.7],
            "more": [[1], [2], []],
        }
    )
    write = {"jsonl": frame.write_ndjson, "arrow": frame.write_ipc}.get(ending, frame.write_parquet)
    path = tmp_path / f"pairs.{ending}" if ending else tmp_path / "day=1"
    path.mkdir() if not ending else None
    write(path if ending else path / "0.parquet")
    advice = "it looks like edges: pass --columns a,b,score --maximum"
    for how in [], ["--memory", "4G"]:
        if not how or ending in ("parquet", ""):
            assert advice in run("solve", path, *how).err
