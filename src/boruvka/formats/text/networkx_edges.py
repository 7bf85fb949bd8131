"""Edge lists of ``networkx.write_edgelist``: attributes of an edge stand in braces at the end of its line."""

from __future__ import annotations

import ast
import re

from boruvka.formats.edge_table import Options
from boruvka.formats.text.lines import COMMENTS, Text
from boruvka.runtime.arguments import hint

__all__ = ["has_attributes", "with_weights"]

_LINE = re.compile(rb"^([^#%\n{][^\n{]*)(\{.*\})[ \t\r]*$", re.MULTILINE)
_NUMPY_NUMBER = re.compile(rb"np\.\w+\(([\w.+-]*)\)")


def has_attributes(text: Text) -> bool:
    """Return whether the first line ends with attributes in braces."""
    return _LINE.match(text.first_data_line(COMMENTS)[1]) is not None


def with_weights(text: Text, options: Options) -> Text:
    """Return a text with the same lines, in which the weight of an edge stands for its attributes.

    Raises
    ------
    FormatError
        Attributes are not literals of Python, or an edge has no weight and no option fills it in.
    """
    name = options.columns[0] if options.columns and len(options.columns) == 1 else "weight"

    def line_with_weight(line: re.Match[bytes]) -> bytes:
        try:
            attributes = dict(ast.literal_eval(_NUMPY_NUMBER.sub(rb"\1", line[2]).decode()))
        except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
            raise text.error(
                line.start(), f"cannot read the attributes {text.quote(line.start(2))}"
            ) from None
        if name not in attributes and not (options.unweighted or options.fills_gaps):
            numbers = [key for key, value in attributes.items() if type(value) in (int, float)]
            other = hint("; name another, as {columns}", columns=(numbers[0],)) if numbers else ""
            passed = hint(
                "{} pass {{unweighted}} for weight 1".format(", or" if other else ";"), unweighted=True
            )
            raise text.error(line.start(), f"the edge has no attribute {name!r}{other}{passed}")
        return line[1] + str(attributes.get(name, "NA")).encode()

    return text.with_content(_LINE.sub(line_with_weight, text.content[: text.size]))
