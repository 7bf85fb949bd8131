"""Advice on a file that cannot be read as edges: its kind, and what to pass; tried before it is given."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import combinations, islice, product, starmap
from typing import Any

from boruvka.errors import BoruvkaError, FormatError, OptionError, shown, without_warnings
from boruvka.formats import points
from boruvka.formats.binary.parquet import read_frame
from boruvka.formats.binary.ply import is_ply
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile
from boruvka.formats.registry import OF_FOLDERS, TABLES, format_to_read, may_be_table
from boruvka.formats.table_columns import EDGE_INDEX, TIME_SERIES, edge_column_positions
from boruvka.formats.tables import open_table
from boruvka.formats.text.lines.fields import COMMENTS, is_number
from boruvka.formats.text.lines.text import Text
from boruvka.formats.text.matrix_layout import AmbiguousTableError, may_be_below_labels, wrong_cell
from boruvka.graph.axis_names import ANGLES, axis_of
from boruvka.graph.graph import Graph
from boruvka.graph.labels import ID_COLUMNS, NAMES, are_ids, is_called, is_called_id, is_index
from boruvka.graph.no_values import is_none
from boruvka.graph.profiles import NO_LOCI, allele, names_loci
from boruvka.graph.text_dates import readings
from boruvka.interop.column_names import known_ends, likely_weights, of_similarities
from boruvka.runtime.arguments import argument, hint, is_command_running
from boruvka.runtime.libraries import pl, reading_errors

_HEAD, _ROWS = 1 << 16, 50
"""Number of bytes at the beginning of a file, and of lines, that are read for advice."""
_ENDS_ALONE, _LEAST_EDGES = 2, 3
"""Number of columns of edges without weights; number of edges among which there are different vertices."""
_PHONE_NUMBER = re.compile(r"[+0]\d{8,}")
"""An id whose first sign is lost where it is read as a number: never a coordinate."""
_MERGED = re.compile(r"[,;|]|\s\d[\d.]*$")
"""A field of several vertices, or of a vertex and a weight, if fields of another column have none."""
_LEAST_LOCI = 4
"""Number of columns of whole numbers above which a table with names looks like profiles."""
_MANY_LOCI, _MOST = 50, 0.8
"""Number and share of such columns above which others may be dates, or have several alleles."""
_MOST_BAD = 0.5
"""Share of weights that may be no numbers; without such a column, edges would have the weight 1."""
_LEAST_COORDINATES = 2
"""Number of columns of numbers that make points of a table, if its first column has different ids."""
_NEIGHBOURS = "lists of neighbours: write lines such as A B 4"
_NOTATIONS = {
    r".*[&\\]": r"a table of LaTeX: sed '/\\begin/d; /\\end/d; s/[&\\]/ /g' FILE makes a matrix of it",
    r"[\[(]": r"""a list as Python writes it: tr '])' '\n\n' < FILE | tr "[(,'\"" ' ' makes lines of it""",
    r"(strict )?(di)?graph\b.*\{|.+--.+|.+->.+\]|\}": "a graph of Graphviz: write lines such as A B 4",
    r"[^:|,;\t]+(?::|\|(?=[^|]*$))\s*(?:\S+\s*[(=:]|[^\s\d]\S*\s)\s*\d": _NEIGHBOURS,
    r"\S+\s+<?[-=–→]+>?\s+\S+\s": "edges with a sign between the ends: leave it out, as A B 4",
    r"(?:\w+ ?[-–—] ?\w+|[^\W\d_]{2})(?:[\s,;]+\d[\d.]*)?$": "edges whose ends are in one column: "
    "write A,B,7",
    r"\|.*\|$": r"a table of Markdown: sed '/--/d; s/^ *|//; s/| *$//' FILE removes its frame",
    r".*[\s,;]\d[\d.]*\s?([^\W\d_]+|[€$%])$": "edges whose weights have the unit UNIT: remove it, as A B 4",
}
"""What the lines of a file look like in other notations, and what to do."""
_SOME_ROWS: Any = {"unweighted": True, "missing": "drop", "bad_rows": "skip"}
"""Options that read the ends of most rows of edges; the errors of reading name bad weights and rows."""
_OF_TABLES = "one_based", "header", "columns", "n", "unweighted"
"""Options of tables, which a matrix does not take."""


@contextmanager
def advising(source: InputFile, options: Options) -> Iterator[None]:
    """Add advice that works, if there is some, to an error about a file that is opened as edges."""
    try:
        yield
    except (FormatError, OptionError) as error:
        is_text = options.format in (None, *TABLES) and may_be_table(source)
        if isinstance(error, AmbiguousTableError):
            raise
        advice: list[str] = []
        with without_warnings(), suppress(BoruvkaError, ValueError):
            found = islice((_advice if is_text else _advice_on_columns)(source, options), 2)
            advice += (each for each in found if each.rpartition(": ")[2] not in str(error))
        looks = f"; it looks like {', or '.join(advice)}" if advice else ""
        raise type(error)(f"{error}{looks}") from None


def in_other_notation(source: InputFile) -> str:
    """Return what a text in another notation looks like, to append to an error; no text for other files."""
    notation = _notation(bytes(source.background_content[:_HEAD])) if may_be_table(source) else ""
    return f"; it looks like {notation}" if notation else ""


def _advice(source: InputFile, options: Options) -> Iterator[str]:
    """Yield what a file looks like, and what to pass for this."""
    head = bytes((source.background_content if source.text is None else source.text)[:_HEAD])
    is_cut = len(head) == _HEAD
    if is_cut:
        head = head[: head.rfind(b"\n") + 1]
    if is_ply(source):
        yield from _passed("points", {"is_points": True})
    elif head.startswith(b">"):
        fasta: dict[str, Any] = {"format": "fasta", "is_profiles": True}
        kind, with_gaps = "aligned sequences", fasta | {"missing": "ignore"}
        if is_cut:  # in a sequence
            yield from _advice_on_rows(kind, with_gaps, {})
        else:
            yield from _of_rows(kind, head, fasta) or _of_rows(kind, head, with_gaps)
    elif head.lstrip().startswith(b"{"):  # lines of JSON
        yield from _advice_on_columns(source, options)
    elif head[:5].lower() == b"#mega":
        yield "a file of MEGA: export the distances as a matrix in csv"
    elif notation := _notation(head):
        yield notation
    elif matrix := _of_matrix(source, head, options):
        yield matrix
    elif options.columns is None and len(columns := _columns(head)) > 1:
        yield from _of_table(source, head, options, columns)


def _advice_on_columns(source: InputFile, options: Options) -> Iterator[str]:
    """Yield advice on a file of columns, such as Parquet, by its first rows as a text."""
    format = format_to_read(source, options.format, options).name
    head = b"" if format == OF_FOLDERS else bytes(source.background_content[:_HEAD])
    if re.match(rb'\s*\{"[^"]*":\s*\{"', head):
        is_frame = re.match(rb'\s*\{"(?!\d+")[^"]*":\s*\{"0":', head)
        value = "pandas.read_json(FILE)" if is_frame else "json.load(open(FILE))"
        yield f"a {'frame' if is_frame else 'dict'} as JSON: write boruvka.as_graph({value}) in Python"
        return
    with reading_errors(source.path):
        if format == OF_FOLDERS:
            frame = read_frame(source, _ROWS)[0]
        else:
            table = open_table(source, format)
            frame = pl.DataFrame({k: x[:_ROWS] for k, x in zip(table.names, table.columns, strict=True)})
        plain = frame.select(name for name, dtype in frame.schema.items() if not dtype.is_nested())
        head = plain.write_csv().encode()
    if options.columns is None and len(columns := _columns(head)) > 1:
        yield from _of_table(source, head, options._replace(format="csv", keep=()), columns)


def _notation(head: bytes) -> str:
    """Return what to change in a file whose lines, below a header, are all in another notation, or ""."""
    lines = [line for x in head.decode("utf-8", "replace").splitlines() if (line := x.strip())[:1] not in "#"]
    if _are_neighbours(lines):
        return _NEIGHBOURS
    for k, (pattern, advice) in product((0, 1), _NOTATIONS.items()):
        rows = re.split(r"\s*[,;]\s*", lines[0]) if k and len(lines) == 1 else lines  # all in one line
        found = [re.match(pattern, row) for row in rows[-_ROWS:][len(rows) > _ENDS_ALONE :]]
        units = {each[1] if each and each.lastindex else "" for each in found}
        if found and all(found) and len(units) == 1:
            return advice.replace("UNIT", units.pop())
    return ""


def _are_neighbours(lines: list[str]) -> bool:
    """Return whether lines have a vertex and its neighbours, which have lines, too, or a dict for each."""
    rows = [re.findall(r"""[^\s:,;|()=\[\]{}'"]+""", line) for line in lines]
    keys, are_numbers = {row[0] for row in rows if row}, all(row and is_number(row[0]) for row in rows)
    others = [[x for x in row[1:] if are_numbers or not is_number(x)] for row in rows]
    are_lists = len(keys) == len(rows) > 1 and {x for row in others for x in row} <= keys
    have_several = any(len(row) > 1 for row in others) and not (are_numbers and len({*map(len, rows)}) == 1)
    are_marked = all(re.match(r"\S+\s*(:|\|[^|]*$)", line) for line in lines)
    return (are_lists and (have_several or are_marked)) or any(re.match(r"\S+ \{('.*)?\}$", x) for x in lines)


def _of_matrix(source: InputFile, head: bytes, options: Options) -> str:
    """Return what to change for a matrix: options of tables, or a row; no text for other files."""
    given = [name for name in _OF_TABLES if getattr(options, name) not in (None, False)]
    sample = InputFile(io.BytesIO(head))
    if options.zero_is_no_edge is not None and given:
        none: dict[str, Any] = dict.fromkeys(given)
        if format_to_read(sample, None, options._replace(**none)).name == "matrix":
            left_out = (argument(name, getattr(options, name)) for name in given)
            return f"a matrix: leave out {', '.join(left_out)}"
    title, _, below = head.partition(b"\n")
    with suppress(BoruvkaError, csv.Error):
        if may_be_below_labels(Text.of(sample)):
            return hint("a matrix: pass {format}", format="matrix")
        is_matrix = format_to_read(InputFile(io.BytesIO(below)), None, Options()).name == "matrix"
        if is_matrix and not re.search(rb"[\t;,|]", title):
            return "a matrix below a title: remove the first line"
        if message := wrong_cell(Text.of(sample)):
            return f"a matrix: {message}"
    lines = [line for line in head.decode("utf-8", "replace").splitlines() if line.strip()]
    delimiter = next((mark for mark in "\t;,|" if lines and mark in lines[0]), None)
    cells = [line.split(delimiter) for line in lines]
    short = [k for k, row in enumerate(cells) if len(row) != len(lines)]
    if len(lines) > _ENDS_ALONE and short[:1] > [0] and len(short) <= len(lines) // 3 and not source.is_batch:
        k = short[0]
        row = f"row {k + 1} has {len(cells[k])} fields: write - for none"
        return f"a matrix of {len(lines)} rows, of which {row}"
    n, pairs = len(lines) + 1, combinations(range(len(lines)), 2)
    if (
        n > _ENDS_ALONE + 1
        and {*map(len, cells)} == {n}
        and all(cells[i][j] == cells[j][i] for i, j in pairs)
    ):
        return f"a matrix of {n - 1} rows and {n} columns, whose last row is missing"
    return ""


def _of_table(
    source: InputFile, head: bytes, options: Options, columns: list[tuple[str, list[str]]]
) -> Iterator[str]:
    """Yield advice on a table; none that makes a tree of a table which was meant otherwise."""
    names, first = [name for name, _ in columns], columns[0][1]
    if len({*names[1:]} & {*first}) > 1:
        yield "a matrix with labels: write the same labels before rows and columns, and numbers in all rows"
        return
    if all(name.lower() in ID_COLUMNS or is_called(name, NAMES) for name in names):
        yield "a table of vertices: name the file of the edges"
        return
    if "weight_second" in names and known_ends(names) is None:
        yield "a comparison of maps: write it as .gpkg"
        return
    if _are_series(columns):
        yield TIME_SERIES
        return
    with_comments = _columns(head, b"")
    if _are_loci(with_comments):
        yield from _of_profiles(head, with_comments)
        return
    if len(columns) == _ENDS_ALONE and _are_numbers(first) != _are_numbers(columns[1][1]):
        return  # one column has weights, or both have vertices of two kinds
    if with_signs := likely_weights([name for name, values in columns if any("%" in x[-1:] for x in values)]):
        ends = (names[k] for k in _positions_of_ends(columns) or (0, 1))
        of_edges = _passed("edges", {"columns": (*ends, with_signs[0])})
        yield from (f"{text}, and remove the % of {shown(with_signs[0])}" for text in of_edges)
        return
    if names[0] and len(names) > _ENDS_ALONE:
        with suppress(FormatError):  # reading finds these columns, and fails for another reason
            edge_column_positions(len(names), names, options, FormatError)
            return
    edges = [
        (kind, changes)
        for kind, changes in _as_edges(columns)
        if _are_edges(head, options._replace(**{**changes, **_SOME_ROWS}))
    ]
    if _positions_of_ends(columns):
        yield from (text for edge in edges for text in _passed(*edge))
        return
    name, values = with_comments[0]
    may_be_ids = bool(name) and is_called_id(name) and are_ids(values)
    of_edges = (each for edge in edges[: 1 + (len(columns) == _ENDS_ALONE)] for each in _passed(*edge))
    if not may_be_ids:
        yield from of_edges
    has_points = sum(_are_numbers(x) and not (name and is_called_id(name)) for name, x in with_comments) > 1
    has_points = has_points and bool(first) and not any(map(_PHONE_NUMBER.fullmatch, first))
    if has_points and not head.startswith(b"%") and (may_be_ids or not (edges and names[0])):
        id = {} if may_be_ids or _are_numbers(values) else {"id": name or 0}
        is_series = len(names) > _LEAST_LOCI and bool(readings(names[1:]))  # a column for each date
        passed = {"is_points": True, **id, **({"metric": "correlation"} if is_series else {})}
        yield from _of_rows("points", head, passed) or _of_rows("points", head, passed | {"missing": "drop"})
    yield from of_edges


def _of_profiles(head: bytes, columns: list[tuple[str, list[str]]]) -> Iterator[str]:
    name = columns[0][0]
    is_known = is_index(name) or is_called(name, NAMES) or names_loci(name)
    passed = {"is_profiles": True, **({} if is_known else {"id": name})}
    has_gaps = any(allele(x) is None for _, values in columns[1:] for x in values)
    yield from _of_rows("profiles of alleles", head, passed | ({"missing": "ignore"} if has_gaps else {}))


def _columns(head: bytes, comments: bytes = COMMENTS, may_skip: bool = True) -> list[tuple[str, list[str]]]:
    """Return the name of each column, empty if it has none, and its first fields, without one wrong row."""
    sample = InputFile(io.BytesIO(head))
    try:
        table = sample.attempt(lambda: open_table(sample, "csv", comments=comments))
    except FormatError as error:
        if not may_skip or (line := error.line) <= _ENDS_ALONE:
            raise
        lines = head.splitlines(keepends=True)
        return _columns(b"".join(lines[: line - 1] + lines[line:]), comments, may_skip=False)
    names = table.names if table.is_named else [""] * len(table.columns)
    fields = ([field or "" for field in column[:_ROWS]] for column in table.columns)
    return list(zip(names, fields, strict=True))


def _as_edges(columns: list[tuple[str, list[str]]]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield options that may make edges of a table, the more likely ones first, and what it is then."""
    names = [name for name, _ in columns]
    ends = _positions_of_ends(columns)
    of_ends = ends or (0, 1)
    (u, us), (v, vs) = (columns[k] for k in of_ends)
    if len({any(map(_MERGED.search, values)) for values in (us, vs)}) > 1:
        return
    others = [(k, *column) for k, column in enumerate(columns) if k not in of_ends]
    if len(columns) == _ENDS_ALONE and u:
        yield "edges below a line of names", {"columns": (u, v), "unweighted": True}
        yield "edges alone", {"unweighted": True, "header": False}
    elif len(columns) == _ENDS_ALONE:
        yield "edges", {"unweighted": True}
    elif us and _may_be_ends(us, vs):
        numbers = [(name, name or k) for k, name, values in others if _are_numbers(values, _MOST_BAD)]
        weights = [x for name, x in numbers if not (name and is_called_id(name)) and name != EDGE_INDEX]
        are_points = len(us) >= _LEAST_EDGES and are_ids(us) and (is_called_id(u) or not {*us} & {*vs})
        if are_points and not ends and len(weights) >= _LEAST_COORDINATES:
            return
        known = likely_weights(weights) or weights or likely_weights(names)  # which may be no numbers
        passed = (u or of_ends[0], v or of_ends[1])
        kept = {"columns": (*passed, known[0])} if known else {"columns": passed, "unweighted": True}
        yield "edges", kept | ({"names": True} if any(map(_PHONE_NUMBER.fullmatch, us)) else {})


def _positions_of_ends(columns: list[tuple[str, list[str]]]) -> tuple[int, ...]:
    """Return the two columns of known names, or the only two of texts that have names in common."""
    names = [name for name, _ in columns]
    if ends := known_ends(names):
        return tuple(map(names.index, ends))
    texts = [(k, {*values} - {""}) for k, (_, values) in enumerate(columns) if not _are_numbers(values)]
    found = ((i, j) for (i, us), (j, vs) in combinations(texts, 2) if len(us & vs) > 1 and len(us | vs) > 2)
    pairs = list(islice(found, 2))
    return pairs[0] if len(pairs) == 1 else ()


def _may_be_ends(u: list[str], v: list[str]) -> bool:
    """Return whether columns may be ends of edges: of one kind, no fractions, and of different vertices."""
    are_whole = {all(x.removeprefix("+").isdecimal() for x in column) for column in (u, v)}
    are_numbers = {_are_numbers(column) for column in (u, v)}
    are_words = not any(c in x for column in (u, v) for x in column for c in "()[]{}")
    differ = len(u) < _LEAST_EDGES or min(len({*u}), len({*v})) > 1
    is_one_kind = len(are_whole) == len(are_numbers) == 1
    return is_one_kind and are_words and differ and (True in are_whole or True not in are_numbers)


def _are_numbers(values: list[str], most_bad: float = 0) -> bool:
    bad = [value for value in values if not (is_number(value) or is_none(value, "number"))]
    return len(bad) <= most_bad * len(values)


def _are_loci(columns: list[tuple[str, list[str]]]) -> bool:
    """Return whether columns with names look like loci, after one of the names or the types of strains."""
    first, *others = columns
    if {"x", "y"} <= {name.lower() for name, _ in columns}:
        return False
    columns_left = [values for name, values in others if name and not is_called(name, NO_LOCI)]
    loci = [
        x_ for x_ in columns_left if all(x.isdecimal() or is_none(x, "allele") or "INF-" in x for x in x_)
    ]
    has_names = not _are_numbers(first[1]) or is_called(first[0], NO_LOCI)
    are_most = len(loci) == len(columns_left) or len(loci) >= max(_MOST * len(columns_left), _MANY_LOCI)
    return bool(first[0]) and len(loci) >= _LEAST_LOCI and are_most and has_names


def _are_series(columns: list[tuple[str, list[str]]]) -> bool:
    """Return whether the first column has dates, and all others have numbers, but no places."""
    (_, dates), *others = columns
    have_numbers = all(_are_numbers(values) and axis_of(name) not in ANGLES for name, values in others)
    has_dates = not _are_numbers(dates) and bool(readings(dates))
    return has_dates and have_numbers and len(others) > _LEAST_COORDINATES


def _are_edges(head: bytes, options: Options) -> bool:
    sample = InputFile(io.BytesIO(head))
    with suppress(BoruvkaError, ValueError):
        format_to_read(sample, options.format, options).codec.open(sample, options).all_edges()
        return True
    return False


def _of_rows(kind: str, head: bytes, passed: dict[str, Any]) -> list[str]:
    """Return advice to read points or profiles, if that works."""
    given = {name: value for name, value in passed.items() if name not in ("is_points", "is_profiles")}
    options = {"format": "csv"} | given
    with suppress(BoruvkaError, ValueError):
        if "is_points" in passed:
            Graph.from_points(points.read_points(io.BytesIO(head), **options).coordinates)
        else:
            points.read_profile_graph(io.BytesIO(head), **options)
        return list(_advice_on_rows(kind, passed, given))
    return []


def _advice_on_rows(kind: str, passed: dict[str, Any], given: dict[str, Any]) -> Iterator[str]:
    if is_command_running():
        yield from _passed(kind, {name: value for name, value in passed.items() if name != "format"})
    elif "is_points" in passed:
        arguments = ", ".join(["path", *(f"{name}={value!r}" for name, value in given.items())])
        yield f"{kind}: boruvka.formats.points.read_points({arguments}) reads them for Graph.from_points"
    else:
        options = {"profiles": True} | ({"missing": "ignore"} if "missing" in passed else {})
        yield f"{kind}: write boruvka.read(file, {', '.join(starmap(argument, options.items()))})"


def _passed(kind: str, arguments: dict[str, Any]) -> Iterator[str]:
    """Yield what to pass, if the running command or function takes it."""
    _, _, *weight = arguments.get("columns", ("", ""))
    of_solve = "".join(map(of_similarities, weight))
    if of_solve and is_command_running() and hint("{maximum}", maximum=True):
        arguments, of_solve = {**arguments, "maximum": True}, ""
    separator = " " if is_command_running() else ", "
    if text := hint(separator.join(f"{{{name}}}" for name in arguments), **arguments):
        yield f"{kind}: pass {text}{of_solve}"
