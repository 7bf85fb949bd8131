"""Errors of the command line name options of the command that runs, and no arguments of Python."""

import ast
import os
import re
from importlib.util import find_spec
from pathlib import Path

import click
import pytest

import boruvka
from boruvka.cli.main import app
from boruvka.generators import FAMILIES
from tests.distributed.mpiexec import start

SOURCE = Path(boruvka.__file__).parent
PYTHON_ONLY = (
    "__init__.py",
    *("graph", "interop", "trees", "sklearn", "networkx_backend", "csgraph.py"),
    "runtime/html.py",
)
"""Modules that the command line does not call."""
CALLED = tuple(
    f"trees/{name}"
    for name in ("solve", "arborescence", "incremental", "plotting", "spanning_trees", "steiner")
)
"""Modules in these rooms that it calls."""
KEYWORD = re.compile(r"\b[a-z_]+=(?!=)[\w('\"{]")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")

PATTERN = "%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n"
FILES = {
    "table.csv": "u,v,w\n0,1,5\n1,2,3\n",
    "pairs.csv": "u,v\n0,1\n",
    "bare.csv": "0,1\n",
    "four.csv": "0,1,2,3\n",
    "costs.csv": "u,v,cost,length\n0,1,2,3\n",
    "fees.csv": "text,payer,payee,fee,edge\nx,a,b,2,0\ny,b,c,3,1\n",
    "twice.csv": "u,v,fee,fee\n0,1,2,3\n",
    "words.csv": "a,b c,d\n0,1,2\n",
    "far.csv": "u,v,w\n0,281474976710655,5\n",
    "count.txt": "3 2\n0 1 5\n1 2 6\n",
    "count-pairs.txt": "3 2\n0 1\n1 2\n",
    "number.txt": "3\n2\n1 2 3\n",
    "table.xyz": "u,v,w\n0,1,5\n",
    "a.gt": "\0\1",
    "big.csv.zip": "PK\3\4\0",
    "pattern.mtx": PATTERN,
    "neighbours.graph": "2 1\n2\n1\n",
    "names.txt": "a b 3\n",
    "gaps.csv": "city,lat,lon\nA,1,2\nB,,4\n",
    "typo.csv": "city,lat,lon\nA,1,2\nB,?,4\n",
    "degrees.csv": "lat,lon\n48,2\n",
    "turned.csv": "lon,z\n1,1\n",
}
POINTS = [
    ("gaps.csv", "gaps.csv:3: there is no value in column 'lat'"),
    ("typo.csv", "typo.csv:3: '?' is not a finite number in column 'lat'"),
    (
        "gaps.csv --columns city,lon",
        "column 'city' holds String such as 'A', not numbers",
        "--columns lat,lon",
    ),
    ("gaps.csv --columns lon,lon", "--columns must name different columns"),
    ("table.xyz --format npz", "table.xyz: cannot be read as npz"),
    ("a.graph", "the format 'metis' holds no table of points; csv, tsv"),
    ("degrees.csv --metric haversine", "for degrees pass --degrees"),
    ("turned.csv --columns lon,z --metric haversine", "pass --columns z,lon"),
    ("degrees.csv --degrees --metric l1", "--metric haversine"),
    ("degrees.csv --names", "--names is for edges"),
    ("degrees.csv --format npy --no-header", "leave out --no-header"),
]
READING = [
    ("pairs.csv", "--unweighted"),
    ("bare.csv", "--unweighted"),
    ("four.csv", "--columns 0,1,2"),
    ("costs.csv", "--columns u,v,cost"),
    ("words.csv", "--columns 'a,b c,d'"),
    ("fees.csv", "name the column of weights, or pass --unweighted", "--columns payer,payee,fee"),
    ("fees.parquet", "no column of weights", "; it looks like edges: pass --columns payer,payee,fee"),
    ("more.parquet", "; name the column of weights, or pass --unweighted for weight 1"),
    (
        "twice.csv --columns u,v,fee",
        "2 columns are called 'fee': pass positions, from 0; the columns are u, v",
    ),
    ("count.txt", "looks like n m"),
    ("count-pairs.txt", "--unweighted", "is the line n m"),
    ("number.txt", "remove it"),
    ("count.txt --format counted", "there is no format 'counted'; there are dimacs"),
    ("a.gt", "--format csv"),
    ("table.csv --format csvv", "there are dimacs"),
    ("table.csv --format mtx", ".mtx is matrix-market"),
    ("table.csv --columns 0,1", "--columns must name"),
    ("table.csv --columns 0,1,1", "--columns must name different columns"),
    ("table.csv --vertices -1", "--vertices must be an integer from 0"),
    ("pattern.mtx", "--unweighted"),
    ("pattern.mtx --one-based", "does not take --one-based; it takes --unweighted"),
    ("pattern.mtx --zero-based", "does not take --zero-based; it takes --unweighted"),
    ("pattern.mtx --header --vertices 3", "does not take --header"),
    ("neighbours.graph", "--unweighted"),
    ("names.txt --vertices 3", "leave out --vertices"),
    ("names.txt --one-based", "leave out --one-based"),
]
ERRORS = [
    *((f"solve --points {words}", *parts) for words, *parts in POINTS),
    *((f"info --points {words}", *parts) for words, *parts in POINTS[2:]),  # it counts gaps
    *((f"verify --points {words} table.csv", *parts) for words, *parts in POINTS),
    *((f"{command} {words}", *parts) for command in ("solve", "info") for words, *parts in READING),
    *((f"convert {words} out.csv", *parts) for words, *parts in READING),
    *((f"verify {words} table.csv", *parts) for words, *parts in READING),
    ("verify table.csv table.xyz", "--forest-format csv"),
    ("verify table.csv -", "--forest-format csv"),
    ("convert names.txt a.mtx", "choose one of edges, csv, tsv, parquet, npz, arrow, graphml, gexf, gml"),
    ("verify - - --format csv", "cannot both be standard input"),
    ("solve table.csv -o out.xyz", "--to csv"),
    ("solve table.csv -o -", "--to csv"),
    ("solve table.csv -o - --to csv --log -", "--output and --log cannot both"),
    ("solve table.csv --to npz", "--to npz is the format of a file: write -o FILE too"),
    ("solve table.csv --to npz --backend mpi", "write -o FILE too"),
    ("convert table.csv --to npz", "Missing argument 'OUTPUT'"),
    ("generate random --n 8 --to npz", "Missing option '-o' / '--output'"),
    ("solve - --backend mpi", "with --backend mpi, ranks cannot share standard input"),
    ("solve", "Missing argument 'FILE'"),
    ("solve table.csv --threads 0", "--threads must be an integer from 1 to 1024"),
    ("solve table.csv --threads two", "'two' is not a valid integer"),
    ("solve table.csv --algorithm magic", "unknown algorithm 'magic'"),
    ("solve table.csv --backend abacus", "unknown backend 'abacus'"),
    ("solve table.csv --method iterative", "--method iterative needs --backend mpi"),
    ("solve table.csv --method spearman", "--method spearman is for boruvka windows, where a window of all"),
    ("solve table.csv --partition-by edges", "--partition-by edges needs --backend mpi"),
    ("solve table.csv --backend mpi --verify", "--verify cannot be used with --backend mpi"),
    ("solve table.csv --backend mpi --algorithm prim", "--algorithm prim cannot be used with --backend mpi"),
    ("solve table.csv --backend mpi --option force", "cannot be used with --backend mpi"),
    ("solve table.csv --backend mpi --checkpoint state", "cannot be used with --backend mpi"),
    ("solve big.npz --algorithm dense", "--algorithm auto"),
    ("solve big.npz --algorithm component-edge-contraction", "--option force"),
    ("convert table.csv out.xyz", "--to csv"),
    ("convert table.csv -", "--to csv"),
    ("solve table.csv --columns u v w", "write commas between the values of an option, as --columns u,v,w"),
    ("solve table.csv other.csv", "several files are joined by cat"),
    ("solve table.csv 7 --profiles", "Got unexpected extra argument (7)"),
    (
        "solve table.csv four.csv --profiles",
        "four.csv: several files are joined by the names of loci, and this has none",
    ),
    ("solve table.csv --columns U,v,w", "no column 'U': did you mean u?"),
    ("solve big.csv.zip", "unzip -p big.csv.zip | boruvka solve - --format csv"),
    ("table.csv", "Name a command before the file: boruvka solve table.csv"),
    *((f"generate {family} -o out.xyz", "--to csv") for family in FAMILIES),
    ("generate nothing -o out.csv", "No such command 'nothing'"),
    ("generate star", "Missing option '-o' / '--output'"),
    ("generate star --weights odd -o out.csv", "--weights"),
    ("generate random --n 0 -o out.csv", "--n must be"),
    ("generate random --n 1000000000000 -o out.csv", "--n 1000000000000, --m 9000000000000"),
    ("generate grid --rows 0 -o out.csv", "--rows must be"),
    ("generate kronecker --scale 99 -o out.csv", "--scale"),
    ("generate grid --rows 10000000 --cols 10000000 -o out.csv", "--rows 10000000"),
    ("generate kronecker --scale 40 -o out.csv", "--scale 40, --edge-factor 16: "),
    ("generate star --dtype int8 --weights integers_1000 -o out.csv", "--dtype int8"),
    ("generate star --dtype int8 --weights distinct --n 999 -o out.csv", "--dt"),
    ("generate geometric --degree 3 --radius 1 -o out.csv", "--degree or --radius"),
    ("generate geometric --dtype int8 -o out.csv", "--weights distance", "--dtype int8"),
]


def options_of(arguments):
    """List the options of the command that a command line runs."""
    command = app
    for name in arguments:
        if not isinstance(command, click.Group) or command.get_command(None, name) is None:
            break
        command = command.get_command(None, name)
    return {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    if find_spec("polars") is not None:
        import polars

        frame = polars.read_csv(tmp_path / "fees.csv")
        frame.write_parquet(tmp_path / "fees.parquet")
        frame.with_columns(line=7).select("payer", "line", "payee", "fee").write_parquet(
            tmp_path / "more.parquet"
        )
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("case", ERRORS, ids=" ".join)
def test_errors_name_options_of_the_command(case, folder, run):
    words, *parts = case
    arguments = words.split()
    if "big.npz" in arguments:
        boruvka.write(([0], [1], [5], 50_000), "big.npz")
    files = sorted(os.listdir())
    result = run(*arguments)
    assert (result.code, result.out, sorted(os.listdir())) == (2, "", files)
    message = result.err.splitlines()[-1]
    assert message.lower().startswith("error: ")
    for part in parts:
        assert part in message
    assert not KEYWORD.search(message)
    named = {*OPTION.findall(message)} - {"--backend"} if "mpi" in arguments else {*OPTION.findall(message)}
    assert named <= options_of(arguments)


def test_messages_on_ranks(folder, tmp_path):
    result = start(2, "-m", "boruvka", "solve", tmp_path / "pairs.csv", "--backend", "mpi")
    assert result.stderr.count("pass --unweighted") == 1


def test_no_message_is_in_the_syntax_of_python():
    """Only `argument` and `hint` write ``name=value``; no text does, except docstrings."""
    for path in SOURCE.rglob("*.py"):
        name = str(path.relative_to(SOURCE))
        if name.startswith(PYTHON_ONLY) and not name.startswith(CALLED):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
                assert " " not in node.value or not KEYWORD.search(node.value), f"{path}:{node.lineno}"


def test_both_ends_in_one_column_are_no_edges(tmp_path, run):
    path = tmp_path / "a.csv"
    for text in "edge,weight\nA-B,4\nB-C,3\n", "a,b\nann,4\nbob,3\n":
        path.write_text(text)
        result = run("solve", path)
        assert result.code != 0
        assert "--unweighted" not in result.err


def test_similar_words(tmp_path, run):
    path = tmp_path / "a.txt"
    path.write_text("0 1 5\n1 2 3\n2 3 1\n3 4 2\n")
    for arguments, advice in [
        (["slove", path], "did you mean solve?"),
        (["solve", path, "--algorithm", "Krusal"], "did you mean kruskal?"),
    ]:
        assert advice in run(*arguments).err


def test_what_a_matrix_lacks_or_does_not_take(tmp_path, run):
    path = tmp_path / "a.txt"
    path.write_text("0 2 3 4\n2 0 1\n3 1 0 5\n4 6 5 0\n")
    assert "a matrix of 4 rows, of which row 2 has 3 fields" in run("solve", path).err
    path.write_text("0 2 3 4\n2 0 1 1\n3 1 0 5\n4 1 5 0\n")
    result = run("solve", path, "--zero-is-no-edge", "--one-based")
    assert "it looks like a matrix: leave out --one-based" in result.err
    assert run("solve", path, "--zero-is-no-edge").code == 0
