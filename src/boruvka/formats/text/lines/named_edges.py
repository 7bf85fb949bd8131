"""Read lines of one edge each whose ends are names."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError
from boruvka.formats.edge_file import NamedEdgeBatch
from boruvka.formats.text.lines.edges import LineLayout
from boruvka.formats.text.lines.fields import FieldLines
from boruvka.formats.text.lines.numbers import read_number_rows
from boruvka.formats.text.lines.text import Text
from boruvka.interop.missing_values import Gaps

__all__ = ["read_named_edges"]


def read_named_edges(lines: FieldLines, layout: LineLayout) -> NamedEdgeBatch:
    """Read edges whose ends are names, which are not numbered yet.

    Parameters
    ----------
    lines : FieldLines
    layout : LineLayout
        The positions of the edge in a line.

    Raises
    ------
    FormatError
        A line is malformed, or a name or a weight is missing.
    """
    columns = {"u": layout.u, "v": layout.v, **({"w": layout.w} if layout.w >= 0 else {})}
    frame = lines.read(list(columns.values()), layout.expected)
    frame.columns = sorted(columns, key=columns.__getitem__)
    gaps = [(frame[name].is_null() | (frame[name] == "")).to_numpy() for name in columns]
    if (is_incomplete := np.logical_or.reduce(gaps)).any():
        raise lines.error(int(np.argmax(is_incomplete)), Gaps.of(gaps).complaint())
    w = _weights(lines, frame["w"], layout) if layout.w >= 0 else np.ones(len(frame), np.uint8)
    return NamedEdgeBatch(frame["u"], frame["v"], w)


def _weights(lines: FieldLines, column: Any, layout: LineLayout) -> NDArray[Any]:
    """Parse weights exactly, as in other texts."""
    if not len(column):
        return np.empty(0, np.int64)
    text = _Weights(lines, column.str.join("\n").item().encode())
    rows = read_number_rows(text, 0, comment="\0", expected="a number as weight", weights=layout.weights)
    is_right = rows.ends == np.arange(1, rows.ends.size + 1)
    if is_right.size < len(column) or not is_right.all():
        row = is_right.size if is_right.all() else int(np.argmin(is_right))
        raise lines.error(row, "expected a number as weight")
    return rows.values


class _Weights(Text):
    """A column of weights, one per line; its errors name the line of the edge in the file."""

    def __init__(self, lines: FieldLines, content: bytes):
        super().__init__(lines.text.path, content)
        self._lines = lines

    def has_decimal_comma(self, offset: int) -> bool:
        """Return whether the weight at an offset is a number with a comma."""
        return self.is_decimal_comma(self.line(offset)[0].decode())

    def error(self, offset: int, message: str) -> FormatError:
        """Make an error that names the line of the edge."""
        return self._lines.error(self.count_newlines(0, offset), message)
