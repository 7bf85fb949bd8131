"""Lines of numbers: read into arrays on every core, with errors that name the line, and written."""

from boruvka.formats.text.lines.edges import LineLayout, ParsedEdges, read_edge_lines, read_named_edges
from boruvka.formats.text.lines.fields import COMMENTS, SEPARATORS, FieldLines, is_number
from boruvka.formats.text.lines.gaps import complete_lines, has_gap
from boruvka.formats.text.lines.number_forms import plain_column, with_plain_weights
from boruvka.formats.text.lines.numbers import NumberRows, WeightType, read_number_rows, whole_number
from boruvka.formats.text.lines.text import Text
from boruvka.formats.text.lines.writing import Quotes, write_edge_lines

__all__ = [
    "COMMENTS",
    "SEPARATORS",
    "FieldLines",
    "LineLayout",
    "NumberRows",
    "ParsedEdges",
    "Quotes",
    "Text",
    "WeightType",
    "complete_lines",
    "has_gap",
    "is_number",
    "plain_column",
    "read_edge_lines",
    "read_named_edges",
    "read_number_rows",
    "whole_number",
    "with_plain_weights",
    "write_edge_lines",
]
