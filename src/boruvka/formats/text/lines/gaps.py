"""Lines of fields without an end or a weight: they are blanked, or get a weight, before the text is read.

The reader of complete texts then reads the rest as it always does, with the same numbers of lines.
"""

from __future__ import annotations

import re

from boruvka.formats.edge_table import Options
from boruvka.formats.text.lines.fields import FieldLines
from boruvka.graph.no_values import NO_NUMBER, Field, int_or_float, is_none
from boruvka.interop.missing_values import RowCounts


def has_gap(ids: list[str], weight: str, options: Options, ends: Field) -> bool:
    """Return whether a line is left out as one of its ends, numbers or names, or its weight is missing."""
    has_no_weight = options.default is None and is_none(weight, "number")
    return has_no_weight or any(is_none(end, ends) for end in ids)


def complete_lines(
    lines: FieldLines, u: int, v: int, w: int, options: Options, has_names: bool
) -> tuple[FieldLines, RowCounts]:
    """Leave out lines that have no end or no weight, and fill in weights, as options say.

    A malformed line is left to the reader, which raises the error.

    Parameters
    ----------
    lines : FieldLines
    u, v, w : int
        The positions of the ends and the weight among the fields; -1 if no weight is read.
    options : Options
        Its ``missing`` and ``default`` say what to do.
    has_names : bool
        Whether ends are names: NA is a country, but no number.

    Returns
    -------
    FieldLines
        Lines that all have an edge.

    RowCounts
        Counts of the lines that are left out.

    Raises
    ------
    FormatError
        An end is missing, and no option cares for it.
    """
    default = None if options.default is None else repr(int_or_float(options.default)).encode()
    text = lines.text
    content = text.content[lines.offset : text.size]
    field_of_ends: Field = "name" if has_names else "number"
    parts = list[tuple[int, int, bytes]]()
    first, ends, weights, left_out, end = None, 0, 0, 0, 0
    for match in _pattern_of_gap(lines.delimiter).finditer(content):
        if match.start() < end:
            continue  # in a line that was checked
        begin = max(content.rfind(b"\n", end, match.start()) + 1, end)
        newline = content.find(b"\n", match.start())
        end = len(content) if newline < 0 else newline
        line = content[begin:end]
        if line.lstrip()[:1] in lines.comments:  # or empty
            continue
        spans = spans_of_fields(line, lines.delimiter)
        if len(spans) != lines.width:
            continue
        values = [value_of(line[slice(*spans[k])], lines.delimiter) for k in (u, v, w) if k >= 0]
        has_no_end = any(is_none(end, field_of_ends) for end in values[:2])
        has_no_weight = any(is_none(weight, "number") for weight in values[2:])
        if has_no_weight and default is not None:
            has_no_weight = False
            if not has_no_end:
                first_byte, after = (lines.offset + begin + edge for edge in spans[w])
                parts.append((first_byte, after, default))
        if has_no_end or has_no_weight:
            first = begin if first is None else first
            ends, weights, left_out = ends + has_no_end, weights + has_no_weight, left_out + 1
            parts.append((lines.offset + begin, lines.offset + end, b""))
    row_counts = RowCounts(ends, weights, left_out)
    if first is not None and options.missing == "error":
        raise text.error(lines.offset + first, row_counts.complaint(text.is_part))
    return lines.replaced(parts) if parts else lines, row_counts


def _pattern_of_gap(delimiter: str) -> re.Pattern[bytes]:
    """Return a pattern that is found in every line with a gap, and in some others."""
    if delimiter:
        blanks = rb"[ \r]*" if delimiter == "\t" else rb"[ \t\r]*"
        gap = rb'(?:^|%b|(?<=\xef\xbb\xbf))%b"?(?:%b|)"?%b(?=%b|$)'
        gap %= re.escape(delimiter.encode()), blanks, NO_NUMBER, blanks, re.escape(delimiter.encode())
    else:
        gap = rb"(?<!\S)(?:%b)(?!\S)" % NO_NUMBER
    return re.compile(gap, re.IGNORECASE | re.MULTILINE)


def spans_of_fields(line: bytes, delimiter: str) -> list[tuple[int, int]]:
    """Return where the fields of a line begin and end; quoted ones may hold the delimiter."""
    if not delimiter:
        return [match.span() for match in re.finditer(rb"\S+", line)]
    mark, blanks = re.escape(delimiter.encode()), b" *" if delimiter == "\t" else rb"[ \t]*"
    field = re.compile(rb'%b"(?:[^"]|"")*"[ \r]*(?=%b|$)|[^%b]*' % (blanks, mark, mark))
    spans, begin = list[tuple[int, int]](), 0
    while begin <= len(line):
        match = field.match(line, begin)
        assert match is not None  # it may be empty
        spans.append(match.span())
        begin = match.end() + 1
    return spans


def value_of(field: bytes, delimiter: str) -> str:
    """Return a field without its quotes, or without blanks around it."""
    field = field.rstrip(b"\r")
    if delimiter and len(field) > 1 and field[:1] == field[-1:] == b'"':
        return field[1:-1].decode("utf-8", "replace")
    return field.strip(b" \t").decode("utf-8", "replace")
