"""Files with gaps are read as the same files without these rows, or with the weights that are filled in."""

import gzip
import re
import warnings

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boruvka import BoruvkaError, FormatError, Graph, GraphWarning, OptionError, as_graph, read, write

pl = pytest.importorskip("polars")

NO_NUMBERS = "", "NA", "nan", "-NaN", "null", "None", "n/a", "-", "?", ".", r"\N", "#N/A"
DEFAULTS = 7, 0, -1, 0.5, 2.0, 2**53 + 1, 2**62 + 1, 0.1
FIELDS = {
    "u": [
        "0",
        "1",
        "2",
        "07",
        "4294967296",
        "-1",
        "2.0",
        "a",
        "NA",
        "nan",
        '"x"',
        '5"',
        "",
        "",
        " ",
        " a",
        "a ",
    ],
    "v": ["0", "1", "2", "3", "a", "b ", "NA", "-", "#N/A", ""],
    "w": [
        "0",
        "07",
        "+3",
        str(2**53 + 1),
        str(2**64 - 1),
        "-1",
        ".5",
        "1e400",
        "1e3",
        "x",
        *NO_NUMBERS,
        " ",
        " 4 ",
    ],
    "note": ["", "x", "NA", '"quoted, here"', '""', "#", '5"'],
}
odd_rows = st.tuples(*map(st.sampled_from, FIELDS.values())).map(list)
usual_rows = st.tuples(*map(st.sampled_from, ("0123", "0123", ["1", "2", "", "NA", "0.5"], ["", "x"]))).map(
    list
)
how_to_read = st.fixed_dictionaries(
    {},
    optional={
        "names": st.booleans(),
        "one_based": st.booleans(),
        "n": st.sampled_from([3, 5]),
        "unweighted": st.just(True),
    },
)


def outcome(path, options):
    """Return all that a graph holds, or what the error says; advice may differ."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", GraphWarning)
        try:
            graph = read(path, **options)
        except BoruvkaError as error:
            return type(error), re.split("found |; it looks", str(error))[0]
    names = None if graph.names is None else (graph.names.dtype.kind, graph.names.tolist())
    return graph.n, graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), graph.w.dtype, names


def is_none(text):
    return text.strip().lower() in map(str.lower, NO_NUMBERS)


def are_names(ends):
    """Return whether the first ends that show it are names: NA is a name there, but no number."""
    clear = [pair for pair in ends if not any(map(is_none, pair))] or ends
    return bool(clear) and not all(re.fullmatch(r"[+-]?\d+", end.strip(' "')) for end in clear[0])


def without_gaps(rows, default, drop, is_weighted, has_names=None):
    """Return rows, None for those that are left out; None if there are gaps that are not allowed."""
    if has_names is None:
        usable = [row for row in rows if not is_weighted or default is not None or not is_none(row[2])]
        has_names = are_names([row[:2] for row in usable if row[0].strip() and row[1].strip()])
    found = []
    for u, v, w, note in rows:
        has_weight = not is_weighted or not is_none(w)
        if not has_weight and default is not None:
            w, has_weight = repr(int(default) if default == int(default) else default), True
        has_ends = u.strip() and v.strip() and (has_names or not (is_none(u) or is_none(v)))
        found.append([u, v, w, note] if has_ends and has_weight else None)
    return found if drop or None not in found else None


@settings(max_examples=120)
@given(
    rows=st.lists(usual_rows | odd_rows, max_size=6),
    delimiter=st.sampled_from([",", ";", "\t"]),
    has_header=st.booleans(),
    first=st.sampled_from(["", "# boruvka n=9\n", "# boruvka names=strings\n", "\ufeff"]),
    newline=st.sampled_from(["\n", "\r\n"]),
    how=how_to_read,
    default=st.none() | st.sampled_from(DEFAULTS),
    drop=st.booleans(),
    is_compressed=st.booleans(),
)
def test_tables(
    tmp_path_factory, rows, delimiter, has_header, first, newline, how, default, drop, is_compressed
):
    is_weighted = "unweighted" not in how
    head = ["u", "v", "w", "note"] if has_header else ["0", "1", "1", "x"]  # it shows the delimiter
    has_names = True if "names=strings" in first else None
    rows = rows if has_header else [head, *rows]
    complete = without_gaps(rows, default, drop, is_weighted, how.get("names", has_names))
    if complete is None:
        return
    ending = "tsv" if delimiter == "\t" else "csv"
    path = tmp_path_factory.getbasetemp() / f"gaps.{ending}{'.gz' if is_compressed else ''}"
    how |= {"header": has_header, "columns": (0, 1, 2) if is_weighted else (0, 1)}
    outcomes = []
    fill = {"missing": "drop" if drop else "error", "default": default}
    for given_rows, options in (rows, fill), (complete, {}):
        lines = ["" if row is None else delimiter.join(row) for row in [*[head] * has_header, *given_rows]]
        content = (first + newline.join([*lines, ""])).encode()
        path.write_bytes(gzip.compress(content) if is_compressed else content)
        outcomes.append(outcome(path, how | options))
    assert outcomes[0] == outcomes[1]


@given(
    st.lists(st.tuples(*map(st.sampled_from, ("0a1", "0b1", ["1", "0.5", "NA", "nan", "5"]))), max_size=5),
    st.sampled_from(["NA", "nan"]),
    st.booleans(),
)
def test_edge_lists(tmp_path_factory, rows, gap, drop):
    """Between blanks a field cannot be empty: NA stands for a weight, and is a name but no number."""
    path = tmp_path_factory.getbasetemp() / "gaps.el"
    outcomes = []
    usable = [row[:2] for row in rows if not (drop and is_none(row[2]))]
    first, has_names = f"{gap} 1  2", are_names([(gap, "1"), *usable])
    if not (has_names or drop):
        return  # there is no end
    for is_complete, options in (False, {"missing": "drop"} if drop else {"default": 7}), (True, {}):
        lines = [first if has_names or not is_complete else ""]
        for row in rows:
            has_weight = row[2] not in ("NA", "nan")
            line = " \t".join(row if has_weight or not is_complete else (*row[:2], "7"))
            lines.append("" if is_complete and drop and not has_weight else line)
        path.write_text("\n".join(lines))
        outcomes.append(outcome(path, options))
    assert outcomes[0] == outcomes[1]


COLUMNS = {
    pl.Int8: [0, 1, 2, 3, -1],
    pl.UInt32: [0, 1, 2, 3],
    pl.Int64: [0, 1, 2**40],
    pl.Float64: [0.0, 1.0, 2.0, 0.5, float("nan")],
    pl.String: ["0", "1", "a", " a", ""],
    pl.Categorical: ["a", "b"],
}
WEIGHTS = {
    pl.Int8: [1, -1, 100],
    pl.UInt8: [1, 255],
    pl.Int64: [1, 2**53 + 1, -(2**63)],
    pl.UInt64: [1, 2**64 - 1],
    pl.Float32: [0.5, 1.0, float("nan"), 2.0**24],
    pl.Float64: [0.5, 0.1, float("nan"), float("inf")],
    pl.String: ["1", "a"],
    pl.Boolean: [True],
    pl.Null: [None],
}


@settings(max_examples=80)
@given(st.data(), how_to_read)
def test_columns(tmp_path_factory, data, how):
    """Parquet and Arrow: the types of columns decide what ids are, with gaps and without."""
    types = [data.draw(st.sampled_from(list(kinds))) for kinds in (COLUMNS, COLUMNS, WEIGHTS)]
    values = [
        st.sampled_from([*kinds[t], None])
        for kinds, t in zip((COLUMNS, COLUMNS, WEIGHTS), types, strict=True)
    ]
    rows = data.draw(st.lists(st.tuples(*values), max_size=5))
    default, drop = data.draw(st.none() | st.sampled_from(DEFAULTS)), data.draw(st.booleans())
    is_weighted = "unweighted" not in how

    def is_gap(value):
        return value is None or value != value

    kept = [
        row
        for row in rows
        if not any(map(is_gap, row[:2])) and (not is_weighted or default is not None or not is_gap(row[2]))
    ]
    has_filled = is_weighted and default is not None and any(is_gap(row[2]) for row in kept)
    if (not drop and len(kept) < len(rows)) or (default is None and not drop):
        return
    path = tmp_path_factory.getbasetemp() / data.draw(st.sampled_from(["gaps.parquet", "gaps.arrow"]))
    save = pl.DataFrame.write_parquet if path.suffix == ".parquet" else pl.DataFrame.write_ipc

    def saved(rows, types):
        columns = zip("uvw", types, zip(*rows, strict=True) if rows else [[]] * 3, strict=True)
        save(pl.DataFrame([pl.Series(name, list(x), dtype) for name, dtype, x in columns]), path)
        return path

    found = outcome(saved(rows, types), how | {"missing": "drop" if drop else "error", "default": default})
    if not has_filled:
        expected = outcome(saved(kept, types), how)
        assert found == expected or (expected[0] is FormatError is found[0])  # rows are numbered otherwise
        return
    ends = outcome(saved([(*row[:2], 1) for row in kept], [*types[:2], pl.Int8]), how)
    if isinstance(found[0], int):
        assert found[3] == [default if is_gap(row[2]) else row[2] for row in kept]  # Python compares exactly
        assert (found[:3], found[5]) == (ends[:3], ends[5])
    else:
        reasons = "no type of at most 64 bits holds both", "expected numbers of at most 64 bits in column 'w'"
        assert found[0] in (FormatError, OptionError)
        assert not isinstance(ends[0], int) or any(reason in found[1] for reason in reasons)


@pytest.mark.parametrize("ending", ["csv", "tsv", "el", "txt", "parquet", "csv.gz"])
@pytest.mark.parametrize(
    "graph",
    [
        Graph.from_edges([500, 7], [7, 9], [1.5, 2.5], names=True),
        Graph.from_edges(["7", "8"], ["8", "9"], [1, 2]),
        Graph(10, [0, 1], [1, 2], [2**64 - 1, 1]),
    ],
)
def test_what_was_written_keeps_its_meaning(tmp_path, graph, ending):
    """Names that look like numbers, and a number of vertices that is stated."""
    path = tmp_path / f"graph.{ending}"
    write(graph, path)
    for options in {"missing": "drop"}, {"default": 7}:
        assert outcome(path, options) == outcome(path, {})


def test_line_numbers_are_those_of_the_file(tmp_path):
    path = tmp_path / "graph.csv"
    path.write_text("u,v,w\n0,1,\n0,1,2\n,1,2\n0,x,2\n")
    with pytest.raises(FormatError, match=r"graph\.csv:5: expected 'u,v,w'"):
        read(path, missing="drop")
    path.write_text("u,v,w\n1,1,2\n,1,2\n0,2,2\n")
    with pytest.raises(FormatError, match=r"graph\.csv:4: expected ids from 1"):
        read(path, missing="drop", one_based=True)


def test_warning_points_at_the_caller(tmp_path):
    path = tmp_path / "graph.csv"
    frame = pl.DataFrame({"u": [0, 1], "v": [1, None], "w": [1, 2]})
    for ending, save in (
        ("csv", frame.write_csv),
        ("parquet", frame.write_parquet),
        ("arrow", frame.write_ipc),
    ):
        path = tmp_path / f"graph.{ending}"
        save(path)
        with pytest.warns(GraphWarning, match="1 of 2 rows are left out: 1 row has no end") as seen:
            read(path, missing="drop")
        assert [warning.filename for warning in seen] == [__file__]


@pytest.mark.parametrize("make", [pl.DataFrame, pd.DataFrame])
@given(
    rows=st.lists(
        st.tuples(
            st.sampled_from("ab"), st.sampled_from("cd"), st.sampled_from([*NO_NUMBERS, "1", "2.5", "-3"])
        ),
        min_size=1,
    ),
    default=st.sampled_from([None, 7, 0.5]),
)
def test_texts_as_weights_mean_the_same_in_frames_and_in_files(tmp_path_factory, make, rows, default):
    path = tmp_path_factory.getbasetemp() / "gaps.csv"
    path.write_text("".join(",".join(row) + "\n" for row in [("u", "v", "w"), *rows]))
    columns = dict(zip("uvw", map(list, zip(*rows, strict=True)), strict=True))
    how = {"default": default} if default is not None else {"missing": "drop"}
    weights = [default if is_none(w) else float(w) for _, _, w in rows]
    for load in lambda: read(path, **how), lambda: as_graph(make(columns), **how):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GraphWarning)
            graph = load()
        assert graph.w.tolist() == [w for w in weights if w is not None]
        kept = [row[0] for row, w in zip(rows, weights, strict=True) if w is not None]
        assert graph.name_of(graph.u).tolist() == kept


@pytest.mark.parametrize("name", ["NA", "-", r"\N", "NULL", "<NA>", "NaT"])
def test_a_name_that_may_mean_none_is_announced(tmp_path, name):
    path = tmp_path / "a.csv"
    path.write_text(f"u,v,w\nFR,{name},1\nDE,FR,2\n")
    says = "is the name of a vertex: if not, make such fields empty, and pass"
    with pytest.warns(GraphWarning, match=says):
        assert read(path).n == 3
    with pytest.warns(GraphWarning, match=says):
        assert as_graph(pl.DataFrame({"u": ["FR", "DE"], "v": [name, "FR"], "w": [1, 2]})).n == 3


@pytest.mark.parametrize(
    ("name", "warns"), [("4E+18", True), ("4.5e+18", True), ("4E18", False), ("E+18", False)]
)
def test_names_that_are_rounded_numbers(tmp_path, name, warns):
    frame = pd.DataFrame({"u": ["ACC-1", "ACC-2"], "v": [name, name], "w": [0.5, 0.4]})
    frame.to_csv(tmp_path / "a.csv", index=False)
    for load in (lambda: as_graph(frame)), (lambda: read(tmp_path / "a.csv")):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            load()
        found = [f"'{name}' names a vertex, but is a rounded number" in str(x.message) for x in caught]
        assert found == [True] * warns


@pytest.mark.parametrize(
    "u", [["101.0", "102.0", "104.0"], ["0101", "0102", "0104"], ["101", "102", "MERGED-17"]]
)
def test_names_that_are_one_number(tmp_path, u):
    """Ends in two forms are announced, and the advice joins them as an inner join of integers does."""
    frame = pd.DataFrame({"u": u, "v": [102, 103, 105], "w": [0.9, 0.8, 0.7]})
    frame.assign(v=frame["v"].astype(str)).to_csv(tmp_path / "a.csv", index=False)
    loads = {"frame": lambda: as_graph(frame), "polars": lambda: as_graph(pl.from_pandas(frame))}
    if u[0] != "101":  # else one form in text
        loads["file"] = lambda: read(tmp_path / "a.csv", names=True)
    for load in loads.values():
        with pytest.warns(GraphWarning, match="are two vertices, but one number"):
            assert load().n == 6
    for end in "u", "v":
        frame[end] = frame[end].astype("string").str.replace(r"^0+(?=\d)|\.0+$", "", regex=True)
    assert as_graph(frame).n == len({*frame["u"], *frame["v"]}) == 5
    assert as_graph(pd.DataFrame({"u": ["1.5", "0.0"], "v": ["1", "2"], "w": [1, 2]})).n == 4
