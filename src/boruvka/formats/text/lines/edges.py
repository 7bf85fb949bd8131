"""Read lines that hold one edge each: numbers on every core, names as columns of strings."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError
from boruvka.formats.edge_file import NamedEdgeBatch
from boruvka.formats.edge_table import Options
from boruvka.formats.text.lines import kernels
from boruvka.formats.text.lines.fields import FieldLines
from boruvka.formats.text.lines.gaps import complete_lines
from boruvka.formats.text.lines.numbers import WeightType, parse_as_fits, weight_error, weights_from_bits
from boruvka.formats.text.lines.string_columns import are_empty
from boruvka.formats.text.lines.text import QUOTED_COMMA, Text
from boruvka.graph.numbering import number_keys
from boruvka.graph.validation import MAX_VERTICES
from boruvka.interop.missing_values import RowCounts
from boruvka.kernels.team import map_in_order, map_ranges
from boruvka.runtime.processors import processors

_CHUNK_BYTES = 1 << 23
"""Bytes of text that one task of a thread parses."""
_ARRIVING_CHUNK_BYTES = 1 << 20
"""Bytes of a chunk of an arriving text: fewer, as nothing else runs while its last chunk is parsed."""
_STRETCH_BYTES = 256
"""Number of bytes that the general loop parses after an unusual line; doubled while lines stay unusual."""


class LineLayout(NamedTuple):
    """Positions of the ends and the weight of an edge in a line.

    Parameters
    ----------
    expected : str
        The expected content of a line, for errors.
    fields : int
        Number of fields, not counting the leading letter; the same on every line.
    u, v, w : int
        The positions of the ends and the weight among the fields; -1 if no weight is read.
    letter : str
        The letter that begins the line, in either case.
    comments : bytes
        Up to two bytes that begin a comment line.
    delimiter : str
        The character that separates fields; by default any number of spaces and tabs.
    weights : "any", "integers" or "floats"
        The type of the weights.
    other_ids : str
        Text that errors add to ``expected`` if ids are not whole numbers.
    has_names : bool
        Whether the ends are names, which are stored as spans of the text.
    """

    expected: str
    fields: int = 3
    u: int = 0
    v: int = 1
    w: int = 2
    letter: str = ""
    comments: bytes = b""
    delimiter: str = ""
    weights: WeightType = "any"
    other_ids: str = ""
    has_names: bool = False


class ParsedEdges(NamedTuple):
    """Edges with ids from 0, and the offset in the text at which the edge lines end."""

    u: NDArray[Any]
    v: NDArray[Any]
    w: NDArray[Any]
    end: int
    padded: int
    """The offset of the first line with an id that has leading zeros; the size of the text without one."""


def _limits_of_ids(n: int | None, one_based: bool, wide: bool) -> tuple[int, int]:
    """Return the smallest and the largest id of a file; the largest is below the smallest if n is 0."""
    if n == 0:
        return 1, 0
    count = n if n is not None else MAX_VERTICES if wide else 2**32
    return int(one_based), count - 1 + one_based


def read_edge_lines(
    text: Text, offset: int, layout: LineLayout, *, n: int | None, one_based: bool, hint: str = ""
) -> ParsedEdges:
    """Read a text of one edge per line, on every core.

    Parameters
    ----------
    text : Text
    offset : int
        The offset of the first line.
    layout : LineLayout
        The positions of the edge in a line.
    n : int or None
        Number of vertices, if it is known.
    one_based : bool
        Whether ids begin at 1.
    hint : str
        Text that errors about ids add.

    Returns
    -------
    ParsedEdges
        If the layout has a letter, the edges up to the first line that begins with another letter.

    Raises
    ------
    FormatError
        A line is malformed.
    """
    chunks, limits = _Chunks(text, offset, layout), partial(_limits_of_ids, n, one_based)
    wide = n is not None and n > 2**32

    def parse(storage: int) -> tuple[ParsedEdges, int]:
        nonlocal wide
        edges, stop = _parse_chunks(text, chunks, layout, limits(wide), storage)
        if stop == kernels.ID and n is None and not wide:
            wide = True
            del edges  # before the next attempt allocates
            edges, stop = _parse_chunks(text, chunks, layout, limits(wide), storage)
        return edges, stop

    edges, stop, storage = parse_as_fits(layout.weights, parse)
    if stop == kernels.ID:
        first, last = limits(wide=True)
        ids = "ids of a graph without vertices" if n == 0 else f"ids from {first} to {last}"
        raise text.unexpected(edges.end, f"{ids}{hint}")
    if stop not in (kernels.DONE, kernels.LETTER):
        fields = text.line(edges.end)[0].split(layout.delimiter.encode() or None)
        expected = layout.expected + (layout.other_ids if _has_other_ids(fields, layout) else "")
        has_other_fields = layout.u >= 0 and layout.delimiter and len(fields) != layout.fields
        if has_other_fields and not QUOTED_COMMA.search(text.line(edges.end)[0]):
            found = f"{text.quote(edges.end)}: {len(fields)} fields, not {layout.fields}"
            raise text.error(edges.end, f"expected {expected}, found {found}{text.skip_hint(edges.end)}")
        raise weight_error(text, edges.end, stop, storage, expected)
    if layout.w < 0:
        return edges._replace(w=np.ones(edges.u.size, np.uint8))
    return edges._replace(w=weights_from_bits(text, edges.w, storage, layout.weights))


def read_named_edges(lines: FieldLines, layout: LineLayout, is_numbered: bool) -> NamedEdgeBatch:
    """Read edges whose ends are names; usual names are found, numbered and compared as bytes of the text.

    Parameters
    ----------
    lines : FieldLines
    layout : LineLayout
        The positions of the edge in a line.
    is_numbered : bool
        Whether names may be numbered: all edges stay, with the ends that they have.

    Raises
    ------
    FormatError
        A line is malformed, or a name or a weight is missing.
    """
    if is_numbered and (edges := _read_plain_names(lines.text, lines.offset, layout)) is not None:
        return edges
    columns = [position for position in (layout.u, layout.v, layout.w) if position >= 0]
    u, v, *weights = lines.read(columns, layout.expected)
    gaps = [are_empty(column) for column in (u, v, *weights)]
    if (is_incomplete := np.logical_or.reduce(gaps)).any():
        # An error counts NA, too.
        complete_lines(lines, layout.u, layout.v, layout.w, Options(), has_names=True)
        raise lines.error(int(np.argmax(is_incomplete)), RowCounts.of(gaps).complaint(lines.text.is_part))
    return NamedEdgeBatch(u, v, read_weights(lines.text, lines.offset, layout))


def read_weights(text: Text, offset: int, layout: LineLayout) -> NDArray[Any]:
    """Read the weights of edges, whatever their ends are."""
    layout = layout._replace(expected="a number as weight", u=-1, v=-1, other_ids="")
    return read_edge_lines(text, offset, layout, n=None, one_based=False).w


def _read_plain_names(text: Text, offset: int, layout: LineLayout) -> NamedEdgeBatch | None:
    """Read edges, and number their names; None if a line is malformed or has an unusual name."""
    if text.content[offset : offset + 3] == codecs.BOM_UTF8:  # polars leaves it out
        return None
    layout = layout._replace(has_names=True)
    try:
        edges = read_edge_lines(text, offset, layout, n=MAX_VERTICES, one_based=False)
    except FormatError:
        return None
    content, spans = text.buffer, np.concatenate([edges.u, edges.v])
    keys = np.empty_like(spans)
    map_ranges(lambda r: kernels.make_keys(content, spans[r], keys[r]), spans.size)
    numbers, first = number_keys(keys)
    distinct = spans[first]
    names = np.empty(int((distinct & kernels.SPAN_MASK).sum()) + distinct.size, np.uint8)
    kernels.copy_names(content, distinct, names)  # they are read faster where they are together
    are_equal = map_ranges(
        lambda r: kernels.are_equal(content, spans[r], numbers[r], names, distinct), spans.size
    )
    try:
        words = str(names.data, "utf-8").split("\n")
    except UnicodeDecodeError:
        return None
    u, v = np.split(numbers, 2)
    return NamedEdgeBatch(u, v, edges.w, names=np.array(words[:-1], object)) if all(are_equal) else None


def _has_other_ids(fields: list[bytes], layout: LineLayout) -> bool:
    """Return whether the fields of a malformed line have both ids, but not both are whole numbers."""
    ids = [fields[i].strip() for i in (layout.u, layout.v) if i < len(fields)]
    return len(ids) == 2 and all(ids) and not all(map(bytes.isdigit, ids))


class _Chunk(NamedTuple):
    """A chunk of a text: its offsets, both starts of lines; upper bounds of the edges before it and in it."""

    begin: int
    end: int
    position: int
    edges: int


class _Chunks:
    """The chunks of a text that are parsed in parallel; an arriving text is cut as it arrives.

    Parameters
    ----------
    text : Text
    offset : int
        The offset of the first line.
    layout : LineLayout
    """

    def __init__(self, text: Text, offset: int, layout: LineLayout):
        letter_and_blank = 2 * len(layout.letter)
        self._shortest = letter_and_blank + layout.fields + (3 if layout.w >= 0 else 2)  # with a newline
        self._text, self._offset = text, offset
        self._cut = None if text.is_partial else list(self._cut_text())

    @property
    def room(self) -> int:
        """Upper bound of the number of edges, plus one for a malformed line."""
        if self._cut is None:  # pages that are never written take no memory
            return (self._text.size - self._offset + 1) // self._shortest + 1
        return sum(chunk.edges for chunk in self._cut) + 1

    def __iter__(self) -> Iterator[_Chunk]:
        return self._cut_text() if self._cut is None else iter(self._cut)

    def _cut_text(self) -> Iterator[_Chunk]:
        text, begin, position = self._text, self._offset, 0
        size = _ARRIVING_CHUNK_BYTES if text.is_partial else _CHUNK_BYTES
        while begin < text.size:
            newline = text.content.find(b"\n", min(begin + size, text.size), text.size)
            end = text.size if newline < 0 else newline + 1
            unended = int(text.content[end - 1 : end] != b"\n")
            lines = text.count_newlines(begin, end) + unended
            edges = min(lines, (end - begin + unended) // self._shortest)
            yield _Chunk(begin, end, position, edges)
            if text.is_partial:
                text.tell(end)
            begin, position = end, position + edges


def _parse_chunks(
    text: Text, chunks: _Chunks, layout: LineLayout, limits: tuple[int, int], storage: int
) -> tuple[ParsedEdges, int]:
    """Parse all chunks.

    Returns
    -------
    ParsedEdges
        The edges in the order of the text, weights as 64 bits.
    int
        Why the first chunk that did not reach its end stopped.
    """
    room, wide = chunks.room, limits[1] - limits[0] >= 2**32
    u, v = np.empty((2, room), np.uint64 if wide else np.uint32)
    columns = kernels.EdgeArrays(u, v, np.empty(room if layout.w >= 0 else 0, np.uint64))
    id_range = kernels.IdRange(*map(np.uint64, limits))
    parser = _Parser(text, layout, id_range, storage, columns)
    parsed = _on_every_core(parser.parse_chunk, chunks, text)
    first = next((i for i, (_, _, stop, _) in enumerate(parsed) if stop != kernels.DONE), len(parsed) - 1)
    _, _, stop, end = parsed[first] if parsed else (0, 0, kernels.DONE, text.size)
    u, v, w = (_close_gaps(column, parsed[: first + 1]) for column in columns)
    return ParsedEdges(u, v, w, end, min(parser.padded, default=text.size)), stop


class _Parsed(NamedTuple):
    """The edges of a chunk: their first position, one past their last; why and where parsing stopped."""

    position: int
    past: int
    stop: int
    end: int


class _Parser:
    """Parses chunks with two loops: a fast one for usual lines, and a general one.

    Parameters
    ----------
    text : Text
    layout : LineLayout
    id_range : IdRange
    storage : int
        The type in which weights are stored.
    columns : EdgeArrays
    """

    def __init__(self, text: Text, layout: LineLayout, id_range: Any, storage: int, columns: Any):
        self._text = text
        self.padded = list[int]()  # offsets of lines with ids that have leading zeros; threads append to it
        codes = _codes(layout)
        is_usual = codes[:4] == (3, 0, 1, 2) and not layout.has_names
        self._may_be_usual = is_usual and storage != kernels.UINT64
        usual_lines = (
            kernels.parse_usual_floats if storage == kernels.FLOAT64 else kernels.parse_usual_integers
        )
        self._usual = usual_lines, codes, id_range, columns
        self._general = kernels.parse_edges, codes, id_range, storage, columns
        self._unusual = {kernels.UNUSUAL} | ({kernels.NEEDS_FLOATS} if layout.weights != "any" else set())

    def parse_chunk(self, chunk: _Chunk) -> _Parsed:
        """Parse a chunk, and store its edges."""
        begin, end, position = chunk[:3]
        if not self._may_be_usual:
            return _Parsed(position, *self._parse(self._general, begin, end, position))
        past, stop, offset = self._parse_usual(begin, end, position)
        stretch = _STRETCH_BYTES
        while stop in self._unusual:
            cut = min(self._text.line_start(begin, min(offset + stretch, end)), end)
            past, stop, begin = self._parse(self._general, offset, cut, past)
            if stop or begin >= end:
                offset = begin
                break
            past, stop, offset = self._parse_usual(begin, end, past)
            stretch = 2 * stretch if offset - begin < stretch else _STRETCH_BYTES
        return _Parsed(position, past, stop, offset)

    def _parse_usual(self, begin: int, end: int, position: int) -> tuple[int, int, int]:
        safe = max(min(end, self._text.size - kernels.BYTES_BEYOND), begin)
        past, stop, offset = self._parse(self._usual, begin, safe, position)
        # The last lines are left to the general loop.
        return past, kernels.UNUSUAL if stop == kernels.DONE and offset < end else stop, offset

    def _parse(self, loop: Any, begin: int, end: int, position: int) -> tuple[int, int, int]:
        """Run a loop with its arguments; return the position past its edges, why it ended and where."""
        parse, *arguments = loop
        first, last, into = map(np.uint64, (begin, end, position))
        past, stop, offset, padded = parse(self._text.buffer, first, last, *arguments, into)
        if padded < end:
            self.padded.append(int(padded))
        return int(past), stop, int(offset)


def _codes(layout: LineLayout) -> Any:
    """Convert a layout for the compiled loop: characters as integers, 0 for none."""
    lower, upper, delimiter = (
        ord(c) if c else 0 for c in (layout.letter.lower(), layout.letter.upper(), layout.delimiter)
    )
    comment, other_comment = (layout.comments + layout.comments[:1] + b"\0\0")[:2]
    positions, codes = layout[1:5], (lower, upper, comment, other_comment, delimiter)
    return kernels.LayoutCodes(*positions, *codes, int(layout.has_names))


def _on_every_core(parse: Callable[[_Chunk], _Parsed], chunks: _Chunks, text: Text) -> list[_Parsed]:
    """Parse chunks; the text reports what has been parsed."""
    parse(_Chunk(0, 0, 0, 0))  # so that it is compiled once
    results = []
    for parsed in map_in_order(parse, chunks, processors()):
        results.append(parsed)
        text.tell(parsed.end)
    return results


def _close_gaps(array: NDArray[Any], parsed: list[_Parsed]) -> NDArray[Any]:
    """Close the gaps after chunks that have fewer edges than lines; cut off the unused end."""
    if not array.size:
        return array
    end = 0
    for position, past, _, _ in parsed:
        count = past - position
        if position != end:
            array[end : end + count] = array[position:past]
        end += count
    return array[:end]
