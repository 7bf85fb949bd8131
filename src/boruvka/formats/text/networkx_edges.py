"""Edge lists of ``networkx.write_edgelist``: attributes of an edge stand in braces at the end of its line."""

from __future__ import annotations

import ast
import re

from boruvka.errors import shown
from boruvka.formats.edge_table import Options, weight_1
from boruvka.formats.files import InputFile
from boruvka.formats.text.lines.fields import COMMENTS
from boruvka.formats.text.lines.text import Text
from boruvka.runtime.arguments import argument

_LINE = re.compile(
    rb"^([^#%\n{][^\n{]*)"
    rb"(?:\{'([^'\\\n]*)': (-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:e[+-]?[0-9]+)?)\}|(\{.*\}))[ \t\r]*$",
    re.MULTILINE,
)
"""The ends of an edge, and the name and value of the only attribute if it is a number, else attributes."""
_AT_ONCE = 1 << 20
"""Bytes that are rewritten at once."""
_NUMPY_NUMBER = re.compile(rb"np\.\w+\(([\w.+-]*)\)")


def has_attributes(text: Text) -> bool:
    """Return whether the first line ends with attributes in braces."""
    return _LINE.match(text.first_data_line(COMMENTS)[1]) is not None


def check_not_streamed(source: InputFile) -> None:
    """Raise a `FormatError` if lines end with attributes: they are rewritten in the whole text."""
    if has_attributes(Text.of(source)):
        raise source.error("attributes in braces are not streamed; convert the file first")


def with_weights(text: Text, options: Options) -> Text:
    """Return a text with the same lines, in which the weight of an edge stands for its attributes.

    Raises
    ------
    FormatError
        Attributes are not literals of Python, or an edge has no weight and no option fills it in.
    """
    name = options.columns[0] if options.columns and len(options.columns) == 1 else "weight"

    begin, plain_name = 0, name.encode() if isinstance(name, str) else None

    def line_with_weight(line: re.Match[bytes]) -> bytes:
        ends, attribute, weight, braces = line.groups()
        if attribute == plain_name:
            return ends + weight
        start = begin + line.start()
        try:
            attributes = ast.literal_eval(
                _NUMPY_NUMBER.sub(rb"\1", braces or line[0][len(ends) :].strip()).decode()
            )
            attributes = dict(attributes.items())
        except (ValueError, SyntaxError, TypeError, AttributeError, RecursionError, MemoryError):
            quoted = text.quote(start + len(ends))
            raise text.error(start, f"cannot read the attributes {quoted}") from None
        if name not in attributes and not (options.unweighted or options.fills_gaps):
            known = ", ".join(map(shown, attributes)) or "none"
            advice = f"; name one as {argument('columns')}, there are {known}{weight_1()}"
            raise text.error(start, f"the edge has no attribute {name!r}{advice}")
        return ends + str(attributes.get(name, "NA")).encode()

    rewritten = []
    while begin < text.size:
        end = text.line_start(begin, begin + _AT_ONCE)
        rewritten.append(_LINE.sub(line_with_weight, text.content[begin : min(end, text.size)]))
        begin = end
    return text.with_content(b"".join(rewritten))
