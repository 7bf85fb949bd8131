"""Vertices on a command line: as files call them, in an option or in the lines of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import click

from boruvka.errors import FileError, OptionError, shown
from boruvka.runtime.arguments import argument

__all__ = ["VERTEX_LIST", "VertexList", "find_vertices", "one_vertex"]

SEARCHED, NAMES_SHOWN = 10_000, 3
"""Numbers of names among which an error searches for a close one, and that it shows where there is none."""
_QUOTED = re.compile(r'"([^"]*(?:""[^"]*)*)"')
_WHOLE = re.compile(r"[+-]?[0-9]{1,300}")
"""Whole numbers that may be vertices; Python refuses to convert texts of thousands of digits."""


class VertexList(NamedTuple):
    """Vertices that were typed, or a file that lists them."""

    text: str
    path: Path | None = None

    def words(self) -> list[str]:
        """Split the text at commas, or the content of the file at newlines, except where they are quoted.

        A word in quotes, in which ``""`` is a quote, is what is between them. Commas in parentheses, as in
        the names of the vertices of a map, separate nothing. Blanks around words are no part of them.

        Raises
        ------
        OptionError
            A word between two commas is empty, or there are no words.
        FileError
            The file cannot be read, or lists no vertex.
        """
        if self.path is None:
            words = list(_split(self.text, ","))
            if not all(words):
                what = "a name is empty" if any(words) else "there is no vertex"
                raise OptionError(
                    f'{argument("terminals")}: {what} in {shown(self.text)}; "" is the empty name'
                )
        else:
            try:
                text = self.path.read_bytes().decode("utf-8-sig")  # ends of lines as they are in names
            except (OSError, ValueError) as error:
                raise FileError(f"{self.path}: {getattr(error, 'strerror', None) or error}") from None
            words = list(filter(None, _split(text, "\n")))
            if not words:
                raise FileError(f"{self.path}: there is no vertex")
        return [_unquoted(word) for word in words]


class _VertexListType(click.ParamType):
    name = "vertices"

    def convert(self, value: Any, parameter: click.Parameter | None, context: click.Context | None) -> Any:
        if isinstance(value, VertexList):
            return value
        return VertexList(value, Path(value[1:]) if value.startswith("@") else None)


VERTEX_LIST = _VertexListType()


@cache
def _word(separator: str) -> re.Pattern[str]:
    blanks = r"[ \t\r\n]*" if separator == "," else r"[ \t\r]*"
    plain = rf"\([^()]*\)|[^{separator}]*?" if separator == "," else rf"[^{separator}]*?"
    return re.compile(rf"{blanks}({_QUOTED.pattern}|{plain}){blanks}(?:{separator}|\Z)")


def _split(text: str, separator: str) -> Iterator[str]:
    position = 0
    while position <= len(text):
        match = _word(separator).match(text, position)
        assert match is not None  # a word may be anything but a separator
        yield match[1]
        if match.end() == len(text) and not match[0].endswith(separator):
            return
        position = match.end()


def _unquoted(word: str) -> str:
    match = _QUOTED.fullmatch(word)
    return match[1].replace('""', '"') if match else word


def one_vertex(graph: Any, name: str, text: str) -> Any:
    """Find the vertex that an option names; quotes are not needed, but allowed.

    Raises
    ------
    OptionError
        The graph has no such vertex.
    """
    return find_vertices(graph, name, [_unquoted(text)])[0]


def find_vertices(graph: Any, name: str, words: list[str]) -> list[Any]:
    """Find the vertices that an option names.

    Parameters
    ----------
    graph : Graph
        The graph.
    name : str
        The name of the option, for errors.
    words : list of str
        Names, or numbers that begin as in the file of the graph. Names that are no strings, such as numbers
        or coordinates, are written as tables show them.

    Returns
    -------
    list
        The vertices as functions of Python take them: names, or numbers from 0.

    Raises
    ------
    OptionError
        The graph has no such vertex.
    """
    if not graph.has_names:
        return [_number(graph, name, word) for word in words]
    from boruvka.graph.names import number_of_name

    numbers = number_of_name(graph.name_of(slice(None)))
    texts = {str(each): each for each in numbers if not isinstance(each, str)}
    found = [_name(numbers, texts, word) for word in words]
    if None in found:
        from difflib import get_close_matches
        from itertools import islice

        word = words[found.index(None)]
        close = get_close_matches(word, map(str, islice(numbers, SEARCHED)), 1)
        others = ", ".join(map(str, islice(numbers, NAMES_SHOWN)))
        hint = f"is it {shown(close[0])}?" if close else f"the first ones are {others}" if others else ""
        raise OptionError(f"{argument(name)}: {shown(word)} is not a vertex: none has this name; {hint}")
    return found


def _number(graph: Any, name: str, word: str) -> int:
    first = graph.first_id
    if _WHOLE.fullmatch(word) and 0 <= int(word) - first < graph.n:
        return int(word) - first
    known = (
        f"they are numbers from {first} to {graph.n - 1 + first} in this file" if graph.n else "there is none"
    )
    raise OptionError(f"{argument(name)}: {shown(word)} is not a vertex: {known}")


def _name(numbers: dict[Any, int], texts: dict[str, Any], word: str) -> Any:
    """Return the name of a vertex that a word means, None if there is none."""
    if word in numbers:
        return word
    if word in texts:
        return texts[word]
    if _WHOLE.fullmatch(word) and int(word) in numbers:
        return int(word)
    with suppress(ValueError):
        place = tuple(map(float, word.removeprefix("(").removesuffix(")").split(",")))
        if len(place) > 1 and place in numbers:
            return place
    return None
