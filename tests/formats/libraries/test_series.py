"""Tables of returns and prices, against correlations of pandas and trees of SciPy."""

import io
import json
import re
import warnings

import numpy as np
import pytest

import boruvka
from boruvka.errors import FormatError, GraphWarning, OptionError
from boruvka.formats.edge_file import WHOLE_FILE
from boruvka.formats.reading import read_chunk

pandas = pytest.importorskip("pandas")


def returns(rows=50, name="date"):
    rng = np.random.default_rng(2)
    values = 0.01 * (rng.normal(size=(rows, 5)) + rng.normal(size=(rows, 1)))
    return pandas.DataFrame(values, pandas.date_range("2024-01-01", periods=rows, name=name), list("ABCDE"))


def read(frame, format="prices", missing="error", **how):
    return boruvka.read(io.BytesIO(frame.to_csv(**how).encode()), format=format, missing=missing)


def check(graph, changes):
    """Compare the tree with the tree of SciPy for the correlations of a frame of returns."""
    from scipy.sparse import csgraph

    expected = changes.corr().to_numpy()
    tree = csgraph.minimum_spanning_tree(np.sqrt(2 * (1 - expected)))
    forest = boruvka.minimum_spanning_forest(graph)
    assert forest.weight == pytest.approx(tree.sum())
    assert graph.names.tolist() == changes.columns.tolist()
    found = forest.to_pandas()["correlation"].tolist()
    assert found == pytest.approx(expected[forest.u, forest.v], rel=0, abs=1e-14)


@pytest.mark.needs("scipy")
def test_returns_and_prices():
    prices = 100 * (1 + returns()).cumprod()
    changes = prices.pct_change().iloc[1:]
    check(read(returns(), "returns"), returns())
    check(read(prices), changes)
    check(read(prices, sep=";"), changes)
    check(read(prices.reset_index()), changes)  # whose index has no name
    check(read(prices.rename_axis("Date").rename(index="{:%d-%b-%y}".format)), changes)
    (forest,) = boruvka.rolling_forests(prices, 49, prices=True)
    check(forest.graph, changes)
    assert boruvka.rolling_forests(prices.to_numpy(), 40, prices=True).labels == list(range(40, 50))
    for reverse in read, lambda frame: boruvka.rolling_forests(frame, 49, prices=True)[0].graph:
        with pytest.warns(GraphWarning, match="the newest row is first, and rows are reversed$"):
            check(reverse(prices[::-1]), changes)
    with pytest.warns(GraphWarning, match="returns look like prices.*: pass prices=True"):
        read(prices, "returns")


@pytest.mark.needs("scipy")
@pytest.mark.parametrize("form", ["%d.%m.%Y", "%Y%m%d"])
def test_decimal_commas_and_comments(form):
    prices = 5000 * (1 + returns(name="Datum")).cumprod()
    prices = prices.round(2)
    changes = prices.pct_change().iloc[1:]
    prices = prices.set_axis(prices.index.strftime(form).rename("Datum"))
    with pytest.warns(GraphWarning, match="numbers have a decimal comma"):
        check(read(prices, sep=";", decimal=","), changes)
    prices.iloc[-1, 0] = None
    with pytest.warns(GraphWarning, match="numbers have commas between thousands"):
        found = read(prices.map("{:,.2f}".format).replace("nan", "-"), missing="pairwise")
    check(found, prices.pct_change(fill_method=None).iloc[1:])
    text = prices.iloc[:-1].to_csv()
    for comment in "# closing prices\n", "# of all days, in euros\n\n":
        check(boruvka.read(io.BytesIO((comment + text).encode()), format="prices"), changes.iloc[:-1])
    check(boruvka.read(io.BytesIO(b"#" + text.encode()), format="prices"), changes.iloc[:-1])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("Bank,X,Y\n,A,B\n2024-01-01,1,2\n", ":1: 'Bank,X,Y' may be a title"),
        ("Datum,A,A,B\nUnit,EUR,USD,CHF\n2024-01-01,1,2,3\n", ":1: 'Datum,A,A,B' may be a title, or one"),
        ("Price,Close,Close\nTicker,A,B\nDate,,\n2024-01-01,1,2\n", ":1: 'Price,Close,Close' may be"),
        (
            "Start,1/3/2022,,\nSecurity,A,B,C\nDates,P,P,P\n2024-01-01,1,2,3\n",
            "several lines of names: keep only the line of the names of series",
        ),
        (
            "Date,A,B\n2024-01-01,1,2,3\n2024-01-02,2,2,4\n",
            ":1: expected 4 names above rows of 4 fields, found 3",
        ),
        (
            "Date,Name,Close\n2024-01-02,A,2\n2024-01-02,A,1\n2024-01-02,B,3\n",
            "'A' has several rows of '2024",
        ),
        ("Date,Name,Close,Volume\n" + "2024-01-01,A,2,1\n2024-01-01,B,3,1\n" * 2, r"returns\.pivot"),
    ],
)
def test_tables_in_another_form(text, problem):
    with pytest.raises(FormatError, match=problem):
        boruvka.read(io.BytesIO(text.encode()), format="prices")


@pytest.mark.needs("scipy")
@pytest.mark.parametrize(
    "title",
    [
        "Kurse, Stand 12.02.2024",
        "Kurse;;;;;\r\n;;;;;",
        "# Kurse;;;;;",
        '"Kurse"\n\n',
        "Kurse;1.2.2024;;;;",
        "Kurse;a;b;c;d;e",
        "# Kurse;a;b;c;d;e\n",
    ],
)
@pytest.mark.parametrize(
    "unit", ["", "Einheit;EUR;EUR;EUR;USD;USD\n", ";EUR;CHF;GBP;USD;JPY\n---;---;---;---;---;---\n"]
)
@pytest.mark.parametrize("end", ["", ";"])
def test_tables_of_spreadsheets(title, unit, end):
    """Rows without a field are blank lines; other lines of words than the header are left out."""
    prices = (5000 * (1 + returns(name="Datum")).cumprod()).round(2)
    header, rows = prices.to_csv(sep=";", decimal=",").replace("\n", f"{end}\n").split("\n", 1)
    text = f"{title}\n{header}\n{unit}{rows};;;;;\nQuelle: Bank;;;;;\n;;;;;\n"
    found = r"titles or units are left out, such as '(Kurse|E)|:\d+: malformed rows .*'Quelle|decimal comma"
    with pytest.warns(GraphWarning, match=found) as warned:
        graph = boruvka.read(io.BytesIO(text.encode()), format="prices", bad_rows="skip")
    check(graph, prices.pct_change().iloc[1:])
    assert len(warned) == 3 - (title.startswith("#") and not unit)
    line = text.count("\n", 0, text.index("Quelle")) + 1
    with (
        warnings.catch_warnings(action="ignore"),
        pytest.raises(FormatError, match=f":{line}: expected a date and 5 fields"),
    ):
        boruvka.read(io.BytesIO(text.encode()), format="prices")


@pytest.mark.needs("scipy")
@pytest.mark.parametrize("footer", ["Source: X", "Total,1,2,3,4,5"])
def test_rows_that_are_no_prices(footer):
    prices = 100 * (1 + returns()).cumprod()
    text = prices.to_csv() + footer + "\n"
    with pytest.raises(
        FormatError, match=r":52: expected a date and 5 fields, found .*; bad_rows='skip' leaves"
    ):
        boruvka.read(io.BytesIO(text.encode()), format="prices")
    with pytest.warns(GraphWarning, match=f":52: malformed rows are left out, such as '{footer}'"):
        check(
            boruvka.read(io.BytesIO(text.encode()), format="prices", bad_rows="skip"),
            prices.pct_change().iloc[1:],
        )


@pytest.mark.needs("scipy")
def test_texts_in_prices(tmp_path, capsys):
    """Words of Bloomberg for none; advice for the command line, also on rows that are series."""
    from boruvka.cli.main import main

    prices, path = 100 * (1 + returns()).cumprod(), tmp_path / "prices.csv"
    texts = prices.astype(object)
    texts.iloc[3, 1], texts.iloc[4, 2] = "n.a.", "#N/A N/A"
    changes = prices.mask(texts.map(lambda x: isinstance(x, str))).pct_change(fill_method=None).iloc[1:]
    check(read(texts, missing="pairwise"), changes)
    tables = {
        "has the text 'halt' in the row '2024-01-10': write NA if it means none; --drop D": texts.replace(
            prices.iloc[9, 3], "halt"
        ),
        "the rows series: pandas.read_csv(FILE, index_col=0, dtype=str": prices.T,
        "write a new file by frame.pivot(index='date', columns=": (
            prices.reset_index().melt("date").set_index("date").replace("A", "005930")
        ),
    }
    for advice, table in tables.items():
        table.to_csv(path)
        assert main(["solve", str(path), "--format", "prices"]) == 2
        assert advice in capsys.readouterr().err
    assert main(["solve", str(path), "--prices"]) == 2
    assert "write --format prices" in capsys.readouterr().err


@pytest.mark.needs("scipy")
@pytest.mark.needs("pyarrow")
def test_prices_in_parquet():
    prices = 100 * (1 + returns()).cumprod()
    check(boruvka.read(io.BytesIO(prices.to_parquet()), format="prices"), prices.pct_change().iloc[1:])


@pytest.mark.needs("scipy")
def test_gaps_of_prices():
    prices = 100 * (1 + returns()).cumprod()
    prices.iloc[7, 2] = None
    with pytest.raises(FormatError, match=r"no correlation of 'C'.*pass missing='pairwise'"):
        read(prices, na_rep="-")
    check(read(prices, missing="pairwise", na_rep="-"), prices.pct_change(fill_method=None).iloc[1:])
    with pytest.raises(boruvka.OptionError, match="missing='pairwise' is for time series: pass format='pric"):
        boruvka.read(io.BytesIO(b"u,v,w\n1,2,3\n"), format="csv", missing="pairwise")


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_too_few_rows(rows):
    with pytest.raises(FormatError, match="expected a row for each date"):
        read(1 + returns(rows))


@pytest.mark.needs("scipy")
@pytest.mark.parametrize("how", [{}, {"sep": ";", "decimal": ","}, {"date_format": "%Y%m%d"}])
def test_some_of_the_series(how):
    prices = (5000 * (1 + returns()).cumprod()).round(2)
    prices = prices.assign(Note="ok") if not how else prices
    changes = prices[list("BCD")].pct_change().iloc[1:]
    for chosen in {"columns": ("B", "C", "D")}, {"drop": ["A", "E", "Note"][: 2 + (not how)]}:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "prices: numbers have a decimal comma")
            content = io.BytesIO(prices.to_csv(**how).encode())
            check(boruvka.read(content, format="prices", **chosen), changes)
    with pytest.raises(boruvka.OptionError, match="drop: there is no column 'AB': did you mean B"):
        boruvka.read(io.BytesIO(prices.to_csv().encode()), format="prices", drop="AB")
    with pytest.raises(boruvka.OptionError, match="drop is for profiles"):
        boruvka.read(io.BytesIO(b"u,v,w\n"), format="csv", drop="X")
    with pytest.raises(FormatError, match="the column 'A' is there twice"):
        read(prices.rename(columns={"B": "A"}))


def test_least_number_of_common_rows():
    prices = 100 * (1 + returns()).cumprod()
    prices.iloc[5:20, 0] = None
    content = prices.to_csv().encode()
    with pytest.warns(GraphWarning, match="4 of 10 pairs of series in windows have no edge"):
        graph = boruvka.read(io.BytesIO(content), format="prices", missing="pairwise", min_periods=40)
    assert np.isnan(graph.matrix[0, 1:]).all()
    with pytest.raises(boruvka.OptionError, match=r"does not take min_periods; .* is for returns, prices"):
        boruvka.read(io.BytesIO(b"u,v,w\n1,2,3\n"), format="csv", min_periods=4)
    check(read(prices, missing="ffill"), prices.ffill().pct_change().iloc[1:])


@pytest.mark.needs("scipy")
@pytest.mark.parametrize("how", [{}, {"sep": ";", "decimal": ","}, {"date_format": "%d.%m.%Y"}, None])
@pytest.mark.parametrize("by", [["date", "Ticker"], ["Ticker", "date"]])
def test_a_row_for_each_date_and_series(by, how):
    """The tree of the table that pandas pivots, whatever the order of rows; a gap is a missing price."""
    prices = (100 * (1 + returns()).cumprod()).round(2)
    table = prices.reset_index().melt("date", var_name="Ticker", value_name="Close").sort_values(by)
    if how is None:
        graph = boruvka.read(io.BytesIO(table.to_parquet()), format="prices")
    elif "decimal" in how:
        with pytest.warns(GraphWarning, match="numbers have a decimal comma"):
            graph = read(table, index=False, **how)
    else:
        graph = read(table, index=False, **how)
    check(graph, prices.pct_change().iloc[1:])
    gaps = prices.mask(np.arange(50)[:, None] == np.arange(5) * 9)
    changes = gaps.pct_change(fill_method=None).iloc[1:]
    graph = read(table[table.index % 50 != table.index // 50 * 9], missing="pairwise", index=False)
    check(graph, changes[graph.names])


def test_na_is_a_name_in_our_own_files(tmp_path):
    """No warning of a name that we wrote ourselves; there is one in other tables."""
    forest = boruvka.minimum_spanning_forest([("NA", "B", 1.5), ("B", "C", 2.5)])
    boruvka.write(forest, tmp_path / "tree.csv")
    forest.to_pandas().to_csv(tmp_path / "table.csv", index=False)
    for name in "tree.csv", "table.csv":
        assert boruvka.read(tmp_path / name).names.tolist() == ["NA", "B", "C"]
    with pytest.warns(GraphWarning, match="'NA' is the name of a vertex"):
        boruvka.read(io.BytesIO(b"u,v,w\nNA,B,1\n"), format="csv")


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_one_window_is_read(ending, tmp_path):
    changes, path = returns(), tmp_path / f"w.{ending}"
    changes["A"] = changes["A"].where(changes.index >= "2024-01-20")  # listed late
    with pytest.warns(GraphWarning, match="no correlation of 'A'"):
        trees = boruvka.rolling_forests(changes, 20, step=["2024-01-30", "2024-02-18"], missing="drop")
    table = trees.to_pandas()
    table.to_csv(path, index=False) if ending == "csv" else table.to_parquet(path)
    for date, components in (
        ("2024-01-30", 2),
        ("2024-01", 2),
        ("18.02.2024", 1),
        (pandas.Timestamp("2024-02-18"), 1),
    ):
        graph = boruvka.read(path, date=date)
        forest, tree = boruvka.minimum_spanning_forest(graph), trees[date]
        found, expected = forest.to_pandas(), tree.to_pandas()
        assert forest.n_components == tree.n_components == components
        assert (
            found[["source", "target"]].to_numpy().tolist()
            == expected[["source", "target"]].to_numpy().tolist()
        )
        assert found["correlation"].tolist() == pytest.approx(expected["correlation"].tolist())
    for wrong, before in ("2024-02-17", "; the date before it is '2024-01-30'$"), ("2024", "'2024-02-18'$"):
        with pytest.raises(OptionError, match=f"date='{wrong}' is not among the windows .*{before}"):
            boruvka.read(path, date=wrong)
    with pytest.raises(FormatError, match="may hold a forest for each 'date'"):
        boruvka.stream.minimum_spanning_forest(path)
    with pytest.raises(FormatError, match="may hold a forest for each 'date'"):
        read_chunk(path, WHOLE_FILE)
    empty = tmp_path / "empty.csv"
    empty.write_text("date,edge,source,target,weight\n")
    assert boruvka.read(empty).m == 0
    with pytest.raises(OptionError, match="date='2024-02-17' is not among the windows"):
        boruvka.read(empty, date="2024-02-17")
    table.drop(columns="date").to_csv(path.with_suffix(".tsv"), sep="\t", index=False)
    with pytest.raises(OptionError, match="date='2024-02-18' is for what boruvka windows writes"):
        boruvka.read(path.with_suffix(".tsv"), columns=("source", "target", "weight"), date="2024-02-18")


@pytest.mark.needs("matplotlib")
def test_windows_on_the_command_line(tmp_path, capsys):
    from boruvka.cli.main import main

    prices, path, output = 100 * (1 + returns()).cumprod(), tmp_path / "prices.csv", tmp_path / "w.csv"
    prices.to_csv(path)
    options = "--format", "prices", "--drop", "E", "--window", "20"
    dates = ["2024-01-30", "2024-02-09"]
    for step, rule in ("ME", "ME"), ("7", 7), (",".join(dates), dates):
        assert main(["windows", str(path), *options, "--step", step, "-o", str(output)]) == 0
        expected = boruvka.rolling_forests(prices.drop(columns="E"), 20, step=rule, prices=True)
        found = pandas.read_csv(output)
        assert found["weight"].tolist() == pytest.approx(expected.w.tolist())
        assert found["date"].tolist() == [str(x)[:10] for x in expected.to_pandas()["date"]]
        shown = capsys.readouterr().out.splitlines()
        assert len(shown) == 2 + len(expected)
        assert shown[2].startswith(str(expected.labels[0])[:10])
    for command in "solve", "compare":  # a file of several windows
        again = [str(output)] * (command == "compare")
        assert main([command, str(output), *again]) == 2
        assert "w.csv: holds 2 forests, by the column 'date': --date 2024-02-09" in capsys.readouterr().err
        assert main([command, str(output), *again, "--columns", "source,target,weight"]) == 0
        wrong = [[*again, "--date", "2024-02-08"], [*again, "--date", "2024-02-09,2024-01-30,2024-02-09"]]
        wrong += [["--date", "2024-02-09", "--memory", "4G"], ["--memory", "4G"]] * (command == "solve")
        capsys.readouterr()
        for more in wrong:
            assert main([command, str(output), *more]) == 2
            assert re.search("not among|than two|graphs in memory|for each 'date'", capsys.readouterr().err)
    assert main(["compare", str(output), str(output), "--date", "30.01.2024,09.02.2024", "--json"]) == 0
    ends = [
        {frozenset(e) for e in zip(*x.to_numpy()[:, 2:4].T, strict=True)} for _, x in found.groupby("date")
    ]
    report = json.loads(capsys.readouterr().out)
    assert report["both"]["edges"] == len(ends[0] & ends[1])
    assert report["only_first"]["edges"] == len(ends[0] - ends[1])
    assert main(["windows", str(path), *options, "--step", "30.01.2024", "-o", str(output)]) == 0
    assert main(["compare", str(output), str(output)]) == 0
    assert "all          edges 3" in capsys.readouterr().out
    ranks = ["--method", "spearman", "--plot", str(tmp_path / "w.SVG")]
    assert main(["windows", str(path), *options, *ranks, "-o", str(output)]) == 0
    expected = boruvka.rolling_forests(prices.drop(columns="E"), 20, prices=True, method="spearman")
    assert pandas.read_csv(output)["weight"].tolist() == pytest.approx(expected.w.tolist())
    assert "mean weight of edges" in (tmp_path / "w.SVG").read_text()
    for wrong, message in (
        (["--plot", "w.xlsx"], "w.xlsx: a picture ends in .png, .svg or .pdf"),
        (["--method", "tau"], "--method must be one of pearson, spearman; got 'tau'"),
        (["--step", "100", "--plot", str(tmp_path / "w.png")], "a picture of changes needs two forests"),
    ):
        assert main(["windows", str(path), *options, *wrong, "-o", str(tmp_path / "new.csv")]) != 0
        assert message in capsys.readouterr().err
        assert not (tmp_path / "new.csv").exists()
        assert not (tmp_path / "w.png").exists()
    assert main(["windows", str(path), *options, "-o", str(tmp_path / "w.png")]) == 2
    assert "a table ends in .csv, .tsv or .parquet" in capsys.readouterr().err
    assert main(["windows", str(path), "--window", "20", "-o", str(output)]) == 2
    assert "pass --format prices or returns" in capsys.readouterr().err


@pytest.mark.needs("matplotlib")
def test_names_in_pictures_on_the_command_line(tmp_path, capsys):
    from boruvka.cli.main import main

    rng = np.random.default_rng(1)
    names = [f"T{k:02}" for k in range(70)]
    returns = pandas.DataFrame(rng.normal(size=(90, 70)) + rng.normal(size=(90, 1)), columns=names)
    path, table, output = tmp_path / "returns.csv", tmp_path / "stocks.csv", tmp_path / "tree.svg"
    returns.to_csv(path)
    pandas.DataFrame({"Symbol": names, "cap": 7e8}).to_csv(table, index=False)
    draw = ["plot", str(path), "--format", "returns", "-o", str(output)]
    for more in [], ["--labels"], ["--labels", "Symbol", "--sizes", "cap", "--metadata", str(table)]:
        assert main([*draw, *more]) == 0
        count = sum(f"<!-- {name} -->" in output.read_text() for name in names)
        assert count > 40 if more else count == 0
    assert main([*draw, "--columns", "T01,T02,T03", "--weights", "correlation"]) == 0
    found = boruvka.rolling_forests(returns[["T01", "T02", "T03"]], 90)[0].to_pandas()["correlation"]
    assert all(f"<!-- {x:.2f} -->" in output.read_text() for x in found)
    capsys.readouterr()
    columns, page = ["--columns", "T01,T02,T03", "--weights", "correlation"], tmp_path / "tree.html"
    assert main([*draw[:-1], str(page), *columns]) == 0
    assert all(f'"{x:.2f}"' in page.read_text().partition('"edge_texts": ')[2][:30] for x in found)
    capsys.readouterr()
    assert main([*draw, "--labels", "Symbol"]) == 2
    assert "--labels Symbol is a column of a table" in capsys.readouterr().err
    assert main([*draw, "--labels", "--dendrogram"]) == 2
    assert "error: --labels is for maps" in capsys.readouterr().err


def test_on_the_command_line(tmp_path, capsys):
    from boruvka.cli.main import main

    path = tmp_path / "prices.csv"
    prices = 100 * (1 + returns()).cumprod()
    prices.to_csv(path)
    assert main(["solve", str(path)]) == 2
    assert "write --format returns or --format prices" in capsys.readouterr().err
    assert main(["solve", str(path), "--format", "returns", "-q"]) == 0
    assert "pass --format prices" in capsys.readouterr().err
    prices.iloc[3, 0] = None
    prices.to_csv(path)
    assert main(["solve", str(path), "--format", "prices"]) == 2
    assert "pass --missing pairwise" in capsys.readouterr().err
    options = "--format", "prices", "--missing", "pairwise", "-q", "-o", "-", "--to", "csv"
    assert main(["solve", str(path), *options]) == 0
    correlations = prices.pct_change(fill_method=None).corr()
    graph = boruvka.Graph.from_distances(correlations, correlations=True)
    expected = boruvka.minimum_spanning_forest(graph).to_pandas()[["source", "target"]]
    written = [line.split(",")[1:3] for line in capsys.readouterr().out.splitlines()[1:]]
    assert written == expected.to_numpy().tolist()
