"""The bytes of a text file: its lines, and errors that name a line."""

from __future__ import annotations

import copy
import mmap
import re
from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, warn
from boruvka.formats.background_bytes import BackgroundBytes
from boruvka.formats.files import InputFile, NotUtf8Error
from boruvka.graph.no_values import NO_NUMBER
from boruvka.runtime.arguments import hint

_COUNT_BYTES = 1 << 20
"""Bytes that NumPy compares at once: with the result they fit in a cache. A compiled loop is slower."""
_QUOTED_BYTES = 80
_BEFORE_TEXT = re.compile(rb"(\xef\xbb\xbf)?([sS][eE][pP]=.\r?\n)?")
"""A byte order mark, and the line in which Excel names the separator."""
_HEAD_BYTES = 64
"""Number of the first bytes of a text that show whether it is UTF-16."""
_GAP = re.compile(rb"(^|[,;\t])\s*([,;\t]|$)|(?<![^,;\s])(%b)(?![^,;\s])" % NO_NUMBER, re.IGNORECASE)
"""A field that is empty, or means that there is no number."""
QUOTED_COMMA = re.compile(rb'"[-+]?[0-9.]*,[0-9]+"')
"""A number in quotation marks that may have a decimal comma, as beside numbers with a point."""
_DECIMAL_POINT = re.compile(rb"[\t;, ][+-]?[0-9]*\.[0-9]+[\t;, ]*(?=[\t;,\r\n]|$)")
_DECIMAL_COMMA = re.compile(r"[+-]?(?:[\d.]*,\d+|\d{1,3}(?:,\d{3})+(?:\.\d*)?)")


class Text:
    """The bytes of a text file. A position in it is an offset in bytes.

    Parameters
    ----------
    path : str
        Its name, for errors.
    content : bytes, mmap or BackgroundBytes
        Its bytes; a byte order mark of UTF-8 is skipped.
    lines_before : int
        Lines of the file before them.
    tell : callable, optional
        Gets the share of the text that has been read, from 0 to 1.
    is_part : bool
        Whether these are perhaps not all bytes.
    """

    def __init__(
        self,
        path: str,
        content: bytes | mmap.mmap | BackgroundBytes,
        lines_before: int = 0,
        tell: Callable[[float], None] = lambda share: None,
        is_part: bool = False,
    ):
        self._tell = tell
        self.path = path
        self.content = content
        self.lines_before = lines_before
        self.is_part = is_part or lines_before > 0
        """Whether the file may have more lines, as far as it is known."""
        self._before: tuple[Text, int] | None = None
        self.is_partial = isinstance(content, BackgroundBytes)
        memory = content.memory if isinstance(content, BackgroundBytes) else content
        self.buffer: NDArray[np.uint8] = np.frombuffer(memory, np.uint8)
        """The bytes; of an arriving text, only those that ``content`` has found or returned have arrived."""
        begins = _BEFORE_TEXT.match(content[:_HEAD_BYTES])
        self.start = begins.end() if begins else 0
        self.size = len(content)

    def with_content(self, content: bytes, offset: int = 0) -> Text:
        """Return a text with other bytes; errors count its lines from the line at an offset of this text."""
        text = Text(self.path, content, self.lines_before, self._tell)
        text._before = self, offset
        return text

    @classmethod
    def of(cls, source: InputFile) -> Text:
        """Return the decompressed content of a file as text; UTF-16 is decoded, with a warning.

        Raises
        ------
        FormatError
            The text is in UTF-16 and a batch of a stream, or is damaged.
        """
        if source.text is None:
            head = source.background_content[:_HEAD_BYTES]
            if head.startswith(b"PK\x03\x04"):
                unpack = f"unzip -p {source.path} | boruvka solve - --format csv"
                raise source.error(f"a workbook, save it as CSV; or a zip file, unpack it: {unpack}")
            if encoding := _utf_16(head):
                source.decode(encoding)
                warn(f"{source.path}: the text is read as {encoding}")
        content = source.background_content if source.text is None else source.text
        return cls(source.path, content, source.lines_before, source.report_read, source.is_batch)

    def tell(self, offset: int) -> None:
        """Report that the text before an offset has been read."""
        self._tell(offset / max(self.size, 1))

    @property
    def array(self) -> NDArray[np.uint8]:
        """All bytes."""
        self.wait()
        return self.buffer

    def wait(self) -> None:
        """Wait until all bytes have arrived."""
        if isinstance(self.content, BackgroundBytes):
            self.content.wait(len(self.content))

    def lines(self, offset: int | None = None) -> Iterator[tuple[int, bytes, int]]:
        """Yield for each line its offset, its stripped bytes, and the offset of the next."""
        offset = self.start if offset is None else offset
        while offset < self.size:
            line, next_offset = self.line(offset)
            yield offset, line, next_offset
            offset = next_offset

    def line(self, offset: int) -> tuple[bytes, int]:
        """Return the stripped line that begins at an offset, and the offset of the next line."""
        newline = self.content.find(b"\n", offset)
        next_offset = self.size if newline < 0 else newline + 1
        return self.content[offset:next_offset].strip(), next_offset

    def data_lines(self, comments: bytes, offset: int | None = None) -> Iterator[tuple[int, bytes, int]]:
        """Iterate over lines that are not blank and do not begin with one of the comment bytes."""
        for start, line, next_offset in self.lines(offset):
            if line and line[0] not in comments:
                yield start, line, next_offset

    def first_data_line(self, comments: bytes, offset: int | None = None) -> tuple[int, bytes, int]:
        """Return the first of `data_lines`; if there is none, an empty line at the end of the file."""
        return next(self.data_lines(comments, offset), (self.size, b"", self.size))

    def cut(self, offset: int, chunk: int, chunks: int) -> tuple[Text, int]:
        """Return one of several chunks, of about equal size, of the lines after an offset.

        Returns
        -------
        Text
            The text up to the end of the chunk.
        int
            The offset at which the chunk begins.
        """
        if chunks == 1:
            return self, offset
        size = self.size - offset
        begin, end = (self.line_start(offset, offset + size * k // chunks) for k in (chunk, chunk + 1))
        return self.before(end), begin

    def before(self, end: int) -> Text:
        """Return the text before an offset."""
        text = copy.copy(self)
        text.buffer, text.size, text.is_part = self.buffer[:end], end, True
        return text

    def line_start(self, first: int, offset: int) -> int:
        """Return the first start of a line at or after an offset; ``first`` is the start of a line."""
        if offset <= first:
            return first
        newline = self.content.find(b"\n", offset - 1)
        return self.size if newline < 0 else newline + 1

    def offset_of_line(self, line: int) -> int:
        """Return the offset of a line of the text, whose lines are counted from 1."""
        left = line - 1
        for begin in range(0, self.size if left else 0, _COUNT_BYTES):
            newlines = np.flatnonzero(self.buffer[begin : min(begin + _COUNT_BYTES, self.size)] == ord("\n"))
            if left <= newlines.size:
                return begin + int(newlines[left - 1]) + 1
            left -= newlines.size
        return self.size if left else 0

    def count_newlines(self, begin: int, end: int) -> int:
        """Count the newlines between two offsets."""
        return sum(int(np.count_nonzero(data == ord("\n"))) for data in self._ranges(begin, end))

    def count_words(self, offset: int) -> int:
        """Return an upper bound of the number of words after an offset."""
        self.wait()
        in_word = (data > ord(" ") for data in self._ranges(offset, self.size))
        return sum(int(np.count_nonzero(data[1:] & ~data[:-1])) + 1 for data in in_word)

    def _ranges(self, begin: int, end: int) -> Iterator[NDArray[np.uint8]]:
        for i in range(begin, end, _COUNT_BYTES):
            yield self.buffer[i : min(i + _COUNT_BYTES, end)]

    def decoded(self, start: int | None = None, end: int | None = None) -> str:
        """Return the text between the offsets of lines, by default all of it.

        Raises
        ------
        NotUtf8Error
            It is not UTF-8.
        """
        start = self.start if start is None else start
        content = self.content[start : self.size if end is None else end]
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            start += content.rfind(b"\n", 0, error.start) + 1
            convert = "if it is Windows-1252, convert it with iconv -f WINDOWS-1252 -t UTF-8"
            message = f"expected text in UTF-8, found {self.quote(start)}; {convert}"
            raise NotUtf8Error(str(self.error(start, message))) from None

    def error(self, offset: int, message: str) -> FormatError:
        """Make an error that names the line at an offset."""
        line = self._line_number(offset)
        error = FormatError(f"{self.path}:{line}: {message}")
        error.line = line
        return error

    def _line_number(self, offset: int) -> int:
        text, before = self._before or (None, 0)
        first = 1 + self.lines_before if text is None else text._line_number(before)
        return first + self.count_newlines(0, offset)

    def unexpected(self, offset: int, expected: str, skip: str = "") -> FormatError:
        """Make an error that states what was expected at an offset, and quotes the line there."""
        if offset >= self.size:
            return self.error(max(self.size - 1, 0), f"expected {expected}, found the end of the file")
        advice = ""
        line = self.line(offset)[0]
        if self.has_decimal_comma(offset) or QUOTED_COMMA.search(line):
            expected = "a point in numbers, no decimal comma and no commas between thousands"
            advice = "; replace a decimal comma by a point, and remove other commas from numbers"
            if point := _DECIMAL_POINT.search(self.buffer.data, self.start):
                advice += f", as in line {self._line_number(point.start() + 1)}"
        elif unit := re.search(r"[0-9]\s?([%€£$])(?![0-9A-Fa-f]{2})", line.decode("utf-8", "replace")):
            expected += f", without {unit[1]} after numbers"
        elif re.search(rb'"[-+.]?[0-9]', line):
            expected += ", without quotation marks"
        has_gap = _GAP.search(line)
        drop = hint("; {missing} leaves out lines with gaps", missing="drop") if has_gap else ""
        return self.error(offset, f"expected {expected}, found {self.quote(offset)}{advice or drop or skip}")

    def skip_hint(self, offset: int) -> str:
        """Return how to leave out a malformed line; of a header and the first edge, all may be as these."""
        is_other = self.error(offset, "").line > 2
        return hint("; {bad_rows} leaves out malformed rows", bad_rows="skip") if is_other else ""

    def has_decimal_comma(self, offset: int) -> bool:
        """Return whether the line at an offset has a number with a comma, with other separators around it."""
        line = self.line(offset)[0].decode("utf-8", "backslashreplace")
        fields = next((line.split(other) for other in ";\t" if other in line), line.split())
        return len(fields) > 2 and any(map(self.is_decimal_comma, fields))

    @staticmethod
    def is_decimal_comma(field: str) -> bool:
        """Return whether a field is a number with a comma."""
        return _DECIMAL_COMMA.fullmatch(field.strip()) is not None

    def quote(self, offset: int) -> str:
        """Return the line at an offset, shortened and printable."""
        line = self.content[offset : offset + _QUOTED_BYTES + 1].split(b"\n")[0]
        shown = line[:_QUOTED_BYTES].decode("utf-8", "backslashreplace").strip()
        shown = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in shown)
        return f"'{shown}{'...' if len(line) > _QUOTED_BYTES else ''}'"


def _utf_16(head: bytes) -> str:
    """Return the kind of UTF-16 that the first bytes of a text show; empty if they show none.

    They are a byte order mark, or half of most characters is zero, as of Latin letters, digits and marks.
    """
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "UTF-16"
    high, low = head[::2].count(0), head[1::2].count(0)
    if max(high, low) <= max(len(head) // 4, 4 * min(high, low)):
        return ""
    return "UTF-16BE" if high > low else "UTF-16LE"
