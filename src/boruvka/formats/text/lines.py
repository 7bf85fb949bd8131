"""Text as bytes: its lines, its numbers as arrays, and errors that name the line."""

from __future__ import annotations

import copy
import math
import mmap
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError
from boruvka.graph.validation import MAX_VERTICES
from boruvka.runtime.processors import processors

__all__ = ["Entries", "Line", "Rows", "Text", "Weights", "read_entries", "read_rows", "whole_number"]

Weights = Literal["any", "integers", "floats"]

_CHUNK = 1 << 23
_PIECE = 1 << 20
_FIRST_BYTES = 80
_TOKEN = re.compile(rb"[^\s,;]+")
_OFFSET = (1 << 51) - 1


class Text:
    """The bytes of a text file.

    Parameters
    ----------
    path : str
        Its name, for errors.
    content : bytes or mmap
        Its bytes; a byte order mark of UTF-8 is passed over.
    """

    def __init__(self, path: str, content: bytes | mmap.mmap):
        self.path = path
        self.content = content
        self.array: NDArray[np.uint8] = np.frombuffer(content, np.uint8)
        self.start = 3 if content[:3] == b"\xef\xbb\xbf" else 0
        self.size = len(content)

    def lines(self, at: int | None = None) -> Iterator[tuple[int, bytes, int]]:
        """Go through the lines: the offset of each, its bytes without blanks around, the next offset."""
        at = self.start if at is None else at
        while at < self.size:
            line, behind = self.line(at)
            yield at, line, behind
            at = behind

    def line(self, at: int) -> tuple[bytes, int]:
        """The line at an offset, without blanks around, and the offset of the next."""
        end = self.content.find(b"\n", at)
        behind = self.size if end < 0 else end + 1
        return self.content[at:behind].strip(), behind

    def cut(self, at: int, part: int, parts: int) -> tuple[Text, int]:
        """Cut the lines behind an offset into parts of about equal size: the text to the end of a part, and
        where the part begins.
        """
        begin, end = (self._line_from(at, at + (self.size - at) * k // parts) for k in (part, part + 1))
        text = copy.copy(self)
        text.array, text.size = self.array[:end], end
        return text, begin

    def _line_from(self, first: int, at: int) -> int:
        """The first line that begins at an offset or later; one begins at ``first``."""
        if at <= first:
            return first
        newline = self.content.find(b"\n", at - 1)
        return self.size if newline < 0 else newline + 1

    def data_lines(self, comments: bytes, at: int | None = None) -> Iterator[tuple[int, bytes, int]]:
        """Go through the lines that are neither blank nor begin with one of some comment bytes."""
        for start, line, behind in self.lines(at):
            if line and line[0] not in comments:
                yield start, line, behind

    def error(self, at: int, message: str) -> FormatError:
        """What is wrong at an offset."""
        number = 1 + _newlines(self.array, 0, at)
        return FormatError(f"{self.path}:{number}: {message}")

    def unexpected(self, at: int, expected: str) -> FormatError:
        """Say what was expected at an offset, and what was found."""
        if at >= self.size:
            return self.error(max(self.size - 1, 0), f"expected {expected}, found the end of the file")
        return self.error(at, f"expected {expected}, found {self.quote(at)}")

    def quote(self, at: int) -> str:
        """The line at an offset, as it is shown to people."""
        line = self.content[at : at + _FIRST_BYTES + 1].split(b"\n")[0]
        shown = line[:_FIRST_BYTES].decode("utf-8", "backslashreplace").strip()
        shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)
        return f"'{shown}{'...' if len(line) > _FIRST_BYTES else ''}'"


@dataclass(frozen=True)
class Line:
    """How a line holds an edge.

    Parameters
    ----------
    shown : str
        What is expected of such a line, for errors.
    fields : int
        Number of fields, the leading letter not counted; every line has as many.
    u, v, w : int
        The positions of the ends and the weight; -1 where no weight is read.
    letter : str
        The letter that begins the line, in either case.
    comments : bytes
        Up to two bytes that begin a comment.
    delimiter : str
        What separates fields; by default any number of blanks.
    weights : "any", "integers" or "floats"
        "any" are integers where all are, else floats; "floats" are rounded even where they are
        written as integers.
    """

    shown: str
    fields: int = 3
    u: int = 0
    v: int = 1
    w: int = 2
    letter: str = ""
    comments: bytes = b""
    delimiter: str = ""
    weights: Weights = "any"

    @property
    def codes(self) -> tuple[int, ...]:
        """The same as the compiled loop wants it."""
        letter, delimiter = (ord(c) if c else 0 for c in (self.letter, self.delimiter))
        capital = ord(self.letter.upper()) if self.letter else 0
        comment, remark = (self.comments + self.comments[:1] + b"\0\0")[:2]
        return self.fields, self.u, self.v, self.w, letter, capital, comment, remark, delimiter


@dataclass(frozen=True)
class Entries:
    """Edges that were read, ids from 0, and where the lines of edges end."""

    u: NDArray[Any]
    v: NDArray[Any]
    w: NDArray[Any]
    end: int


def read_entries(
    text: Text, at: int, line: Line, *, n: int | None, one_based: bool, hint: str = ""
) -> Entries:
    """Read a text of one edge per line, on every core.

    Parameters
    ----------
    text : Text
    at : int
        The offset of the first line.
    line : Line
        How lines look.
    n : int or None
        Number of vertices, where it is known.
    one_based : bool
        Whether ids begin at 1.
    hint : str
        What an error about ids adds.

    Returns
    -------
    Entries
        Where lines have a letter, up to the first line that has another.

    Raises
    ------
    FormatError
        A line is malformed.
    """
    from boruvka.formats.text import parsing

    chunks = _chunks(text, at)
    lines = [_newlines(text.array, *chunk) for chunk in chunks]
    if lines and text.array[-1] != ord("\n"):
        lines[-1] += 1
    places = [0, *accumulate(lines)]
    kind = parsing.FLOATS if line.weights == "floats" else parsing.INTEGERS
    wide = n is not None and n > 2**32

    while True:
        u, v = np.empty((2, places[-1]), np.uint64 if wide else np.uint32)
        w = np.empty(places[-1] if line.w >= 0 else 0, np.uint64)
        first, last = (np.uint64(limit) for limit in _ids(n, one_based, wide))
        fill = partial(_fill, text.array, line.codes, kind, first, last, u, v, w)
        counts, stop, end = _in_order(_on_every_core(fill, chunks, places), at)
        if stop == parsing.NEEDS_FLOATS and line.weights == "any":
            kind = parsing.FLOATS
        elif stop == parsing.NEEDS_UNSIGNED:
            kind = parsing.UNSIGNED
        elif stop == parsing.ID and n is None and not wide:
            wide = True
        else:
            break

    if stop == parsing.ID:
        raise text.unexpected(end, f"ids {_range(n, one_based)}" + hint)
    if stop not in (parsing.DONE, parsing.LETTER):
        raise _complaint(text, end, stop, kind, line.shown)
    u, v, w = (_joined(array, places, counts) if array.size else array for array in (u, v, w))
    w = np.ones(u.size, np.uint8) if line.w < 0 else _numbers(text, w, kind, line.weights)
    return Entries(u, v, w, end)


@dataclass(frozen=True)
class Rows:
    """Lines of numbers: all numbers, and per row its offset in the text and the place behind its last."""

    values: NDArray[Any]
    starts: NDArray[np.int64]
    ends: NDArray[np.int64]


def read_rows(
    text: Text,
    at: int,
    *,
    comment: str,
    shown: str,
    weights: Weights = "any",
) -> Rows:
    """Read lines that hold any number of numbers.

    Parameters
    ----------
    text : Text
    at : int
        The offset of the first line.
    comment : str
        The letter that begins a comment.
    shown : str
        What is expected, for errors.
    weights : "any", "integers" or "floats"
        As for `Line`.

    Returns
    -------
    Rows
        Blank lines are rows, comments are not.

    Raises
    ------
    FormatError
        A line is malformed.
    """
    from boruvka.formats.text import parsing

    kind = parsing.FLOATS if weights == "floats" else parsing.INTEGERS
    values = np.empty(_tokens(text.array[at:]), np.uint64)
    starts, ends = np.empty((2, _newlines(text.array, at, text.size) + 1), np.int64)
    while True:
        rows, stop, end = parsing.fill_rows(
            text.array, np.uint64(at), np.uint64(text.size), ord(comment), kind, values, starts, ends
        )
        if stop == parsing.NEEDS_FLOATS and weights == "any":
            kind = parsing.FLOATS
        elif stop == parsing.NEEDS_UNSIGNED:
            kind = parsing.UNSIGNED
        else:
            break
    if stop != parsing.DONE:
        raise _complaint(text, int(end), stop, kind, shown)
    values = _numbers(text, values[: ends[rows - 1] if rows else 0], kind, weights)
    return Rows(values, starts[:rows], ends[:rows])


def whole_number(token: bytes) -> int | None:
    """A count or id as an integer below 2**63; None where the token is none."""
    if token.isdigit() and len(token) < 20 and int(token) < 2**63:
        return int(token)
    return None


def _fill(array, codes, kind, first, last, u, v, w, chunk, place) -> tuple[int, int, int]:
    """Read one part of the text: how many edges, why it stopped, and where."""
    from boruvka.formats.text import parsing

    begin, end, place = (np.uint64(x) for x in (*chunk, place))
    behind, stop, end = parsing.fill_entries(array, begin, end, codes, kind, first, last, u, v, w, place)
    return int(behind) - int(place), stop, int(end)


def _on_every_core(fill, chunks, places) -> list[tuple[int, int, int]]:
    fill((0, 0), 0)  # so that it is compiled once
    threads = min(len(chunks), processors())
    if threads < 2:
        return [fill(chunk, place) for chunk, place in zip(chunks, places, strict=False)]
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(fill, chunks, places))


def _in_order(filled: list[tuple[int, int, int]], at: int) -> tuple[list[int], int, int]:
    """What one thread would have read: the edges of each part, and the first stop in the text."""
    from boruvka.formats.text import parsing

    first = next((i for i, (_, stop, _) in enumerate(filled) if stop != parsing.DONE), len(filled) - 1)
    _, stop, end = filled[first] if filled else (0, parsing.DONE, at)
    return [count for count, _, _ in filled[: first + 1]], stop, end


def _chunks(text: Text, at: int) -> list[tuple[int, int]]:
    """Cut the text behind an offset into parts of about equal size at the ends of lines."""
    cuts = [at]
    while cuts[-1] < text.size:
        newline = text.content.find(b"\n", min(cuts[-1] + _CHUNK, text.size), text.size)
        cuts.append(text.size if newline < 0 else newline + 1)
    return list(pairwise(cuts))


def _newlines(array: NDArray[np.uint8], begin: int, end: int) -> int:
    # In pieces that fit a cache, which is faster than a compiled loop.
    pieces = (array[i : min(i + _PIECE, end)] for i in range(begin, end, _PIECE))
    return sum(int(np.count_nonzero(piece == 10)) for piece in pieces)


def _tokens(array: NDArray[np.uint8]) -> int:
    """At least as many as there are numbers."""
    pieces = (array[i : i + _PIECE] > 32 for i in range(0, array.size, _PIECE))
    return sum(int(np.count_nonzero(piece[1:] & ~piece[:-1])) + 1 for piece in pieces)


def _joined(array: NDArray[Any], places: list[int], counts: list[int]) -> NDArray[Any]:
    """Close the gaps between parts that hold fewer edges than they have lines."""
    end = 0
    for place, count in zip(places, counts, strict=False):
        if place != end:
            array[end : end + count] = array[place : place + count]
        end += count
    return array[:end]


def _ids(n: int | None, one_based: bool, wide: bool) -> tuple[int, int]:
    """The smallest and the greatest id; the greatest is the smaller one where there is no vertex."""
    if n == 0:
        return 1, 0
    count = n if n is not None else MAX_VERTICES if wide else 2**32
    return int(one_based), count - 1 + one_based


def _range(n: int | None, one_based: bool) -> str:
    if n == 0:
        return "of a graph without vertices"
    first, last = _ids(n, one_based, True)
    return f"from {first} to {last}"


def _complaint(text: Text, at: int, stop: int, kind: int, shown: str) -> FormatError:
    from boruvka.formats.text import parsing

    if stop == parsing.NAN:
        return text.error(at, f"NaN is no weight, found {text.quote(at)}")
    if stop == parsing.NEEDS_FLOATS:
        return text.unexpected(at, f"{shown} with whole numbers only")
    if stop == parsing.OVERFLOW and kind == parsing.UNSIGNED:
        return text.error(
            at,
            f"no 64-bit integer holds negative numbers and others beyond 2**63 - 1, found {text.quote(at)}",
        )
    if stop == parsing.OVERFLOW:
        return text.error(at, f"the number does not fit 64 bits, found {text.quote(at)}")
    return text.unexpected(at, shown)


def _numbers(text: Text, bits: NDArray[np.uint64], kind: int, weights: str) -> NDArray[Any]:
    """What was read as 64 bits, as numbers."""
    from boruvka.formats.text import parsing

    if kind == parsing.FLOATS:
        return _settled(text, bits.view(np.float64), integers_exact=weights == "any")
    return bits.view(np.int64) if kind == parsing.INTEGERS else bits


def _settled(text: Text, w: NDArray[np.float64], *, integers_exact: bool) -> NDArray[np.float64]:
    """Round the numbers that the compiled loop left over."""
    left = np.flatnonzero(np.isnan(w))
    for i, bits in zip(left.tolist(), w[left].view(np.uint64).tolist(), strict=True):
        at = bits & _OFFSET
        match = _TOKEN.match(text.content, at)
        token = match[0] if match else b""
        w[i] = value = float(token)
        if math.isinf(value):
            raise text.error(at, f"{token[:40].decode()} is beyond the range of float64")
        if integers_exact and token.lstrip(b"+-").isdigit() and int(token) != value:
            raise text.error(
                at,
                f"the integer {token.decode()} stands among fractions, but has no exact float64: "
                "write all weights as integers, or round it",
            )
    return w
