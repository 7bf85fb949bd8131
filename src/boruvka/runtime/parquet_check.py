"""Check the metadata of a Parquet file before a library trusts it: sizes, counts and offsets.

Where these are damaged, polars asks for more memory than there is, and Arrow throws where nothing catches:
both end the process. Metadata is in the compact protocol of Thrift.
Source: https://parquet.apache.org/docs/file-format/
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from boruvka.errors import FormatError
from boruvka.runtime.processors import check_room

__all__ = ["check_footer", "check_pages"]

_MAGIC = b"PAR1"
_BYTES_OF_VALUE = 8
_BYTE_ARRAY = 6
_DEEPEST = 30
_REQUIRED, _OPTIONAL, _REPEATED = range(3)


def check_footer(path: str, content: Any) -> list[tuple[dict[int, Any], int]]:
    """Raise an error unless the footer of a file fits the file.

    Returns
    -------
    list of (dict, int)
        The metadata of each column chunk, and the offset of the footer.

    Raises
    ------
    FormatError
        The footer is damaged.
    """
    with _damage(path):
        return list(_chunks(content))


def check_pages(path: str, content: Any, parts: int = 1) -> None:
    """Raise an error unless footer and pages fit the file, and what they hold, or a part of it, the memory.

    Raises
    ------
    FormatError
        The footer or the header of a page is damaged.
    FileError
        The content needs more memory than is free.
    """
    chunks = check_footer(path, content)
    with _damage(path):
        size = sum(_size_of_chunk(content, *chunk) for chunk in chunks)
    check_room(path, size // parts)


@contextlib.contextmanager
def _damage(path: str) -> Iterator[None]:
    """Turn what damaged metadata raises here into an error that names the file."""
    try:
        yield
    except (IndexError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"{path}: cannot be read as Parquet: the metadata is damaged: {error}") from None


def _chunks(content: Any) -> Iterator[tuple[dict[int, Any], int]]:
    size = len(content)
    if size < 12 or content[:4] != _MAGIC or content[-4:] != _MAGIC:
        raise ValueError("it does not begin and end as such a file")
    begin = size - 8 - int.from_bytes(content[-8:-4], "little")
    if begin < 4:
        raise ValueError("it is longer than the file")
    footer = _Thrift(content[begin : size - 8]).struct()
    leaves, groups = list(_leaves(footer[2])), footer[4]
    for text in (
        *(element[4] for element in footer[2]),
        *(name for group in groups for chunk in group[1] for name in chunk[3][3]),
        *(pair[k] for pair in footer.get(5, ()) for k in pair),
        footer.get(6, b""),
    ):
        text.decode()
    if footer[3] != sum(group[3] for group in groups):
        raise ValueError("row groups have another number of rows than the file")
    for group in groups:
        if len(group[1]) != len(leaves):
            raise ValueError("a row group has another number of columns than the file")
        for chunk, leaf in zip(group[1], leaves, strict=True):
            _check_chunk(chunk[3], leaf, group[3])
            yield chunk[3], begin


def _leaves(schema: list[dict[int, Any]]) -> Iterator[tuple[int, int, int]]:
    """Yield the type of each column, and its highest level of definition and of repetition."""
    elements = iter(schema)

    def walk(count: int, defined: int, repeated: int, depth: int) -> Iterator[tuple[int, int, int]]:
        if depth > _DEEPEST or not 0 <= count <= len(schema):
            raise ValueError("its columns are nested too deep")
        for _ in range(count):
            element = next(elements, None)
            if element is None:
                raise ValueError("columns are missing")
            kind = element.get(3, _REQUIRED)
            if kind not in (_REQUIRED, _OPTIONAL, _REPEATED):
                raise ValueError("a column is neither required, optional nor repeated")
            levels = defined + (kind != _REQUIRED), repeated + (kind == _REPEATED)
            if 5 in element:
                yield from walk(element[5], *levels, depth + 1)
            else:
                yield element[1], *levels

    yield from walk(next(elements, {})[5], 0, 0, 0)


def _check_chunk(column: dict[int, Any], leaf: tuple[int, int, int], rows: int) -> None:
    """Check the metadata of a column chunk against the schema; Arrow throws where they differ."""
    kind, defined, repeated = leaf
    statistics = column.get(16, {})
    if column[1] != kind or (1 in statistics and kind != _BYTE_ARRAY):
        raise ValueError("a column has another type than in the schema")
    for number, level in (2, repeated), (3, defined):
        if len(statistics.get(number, ())) not in (0, level + 1):
            raise ValueError("a histogram has another size than the schema says")
    if not 0 <= rows <= column[5]:
        raise ValueError("a column has fewer values than the row group has rows")


def _size_of_chunk(content: Any, column: dict[int, Any], end_of_pages: int) -> int:
    """Walk over the pages of a column chunk; return the bytes of its values in memory."""
    at, left, size = min(column[9], column.get(11) or column[9]), column[5], 0
    if left == 0:  # then offsets may be 0
        return 0
    end = at + column[7]
    if not 4 <= at <= end <= end_of_pages:
        raise ValueError("the pages of a column are outside of the file")
    while left > 0:
        header = _Thrift(content, at, end)
        page = header.struct()
        at = header.at + page[3]
        of_data = page.get(5) or page.get(8)
        values = (of_data or page[7])[1]
        levels = (page[8][5], page[8][6]) if 8 in page else (0,)
        if min(page[2], page[3], values, *levels) < 0 or sum(levels) > min(page[2], page[3]) or at > end:
            raise ValueError("a page has another size than its column")
        if of_data:
            left -= values
        size += page[2] + values * _BYTES_OF_VALUE
    if left < 0:
        raise ValueError("pages have more values than their column")
    return size


class _Thrift:
    """Reads values of the compact protocol: a struct as a dict by the numbers of its fields."""

    def __init__(self, data: Any, at: int = 0, end: int | None = None):
        self._data, self.at, self._end = data, at, len(data) if end is None else end

    def struct(self, depth: int = 0) -> dict[int, Any]:
        fields, number = {}, 0
        while head := self._byte():
            number = number + (head >> 4) if head >> 4 else self._signed()
            fields[number] = head & 15 == 1 if head & 15 in (1, 2) else self._value(head & 15, depth)
        return fields

    def _value(self, kind: int, depth: int) -> Any:
        if depth > _DEEPEST:
            raise ValueError("it is nested too deep")
        match kind:
            case 1 | 2 | 3:
                return self._byte()
            case 4 | 5 | 6:
                return self._signed()
            case 7:
                return self._bytes(8)
            case 8:
                return self._bytes(self._unsigned())
            case 9 | 10:
                head = self._byte()
                count = head >> 4 if head >> 4 < 15 else self._unsigned()
                if count > self._end - self.at:
                    raise ValueError("a list is longer than the file")
                return [self._value(head & 15, depth + 1) for _ in range(count)]
            case 12:
                return self.struct(depth + 1)
        raise ValueError(f"there is no type {kind}")

    def _byte(self) -> int:
        if self.at >= self._end:
            raise ValueError("it is cut off")
        self.at += 1
        return int(self._data[self.at - 1])

    def _bytes(self, count: int) -> bytes:
        self.at += count
        return bytes(self._data[self.at - count : self.at])

    def _unsigned(self) -> int:
        number = shift = 0
        while shift < 64:
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7
        raise ValueError("a number is too long")

    def _signed(self) -> int:
        number = self._unsigned()
        return number >> 1 ^ -(number & 1)
