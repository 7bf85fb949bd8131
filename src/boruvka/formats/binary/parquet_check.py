"""Checks of the metadata of a Parquet file before a library trusts it: sizes, counts and offsets.

A damaged size makes polars ask for more memory than there is. A column chunk that differs from the schema
makes Arrow throw an exception where nothing catches it. Both end the process. Metadata is in the compact
protocol of Thrift. Source: https://parquet.apache.org/docs/file-format/
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boruvka.runtime.libraries import reading_errors
from boruvka.runtime.processors import check_room

_MAGIC = b"PAR1"
_BYTES_OF_VALUE = 8
_BYTE_ARRAY = 6
_REQUIRED, _OPTIONAL, _REPEATED = range(3)
_INT32 = 5
"""The number of the type in the compact protocol."""


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
    with reading_errors(path, "Parquet"):
        return list(_column_chunks(content))


def check_pages(path: str, content: Any, chunks: list[tuple[dict[int, Any], int]], count: int = 1) -> None:
    """Raise an error unless pages fit the file, and one of ``count`` chunks of its values the memory.

    ``chunks`` is what `check_footer` returned.

    Raises
    ------
    FormatError
        The header of a page is damaged.
    FileError
        The values need more memory than is free.
    """
    with reading_errors(path, "Parquet"):
        size = sum(_size_of_chunk(content, *chunk) for chunk in chunks)
    check_room(path, size // count)


def _column_chunks(content: Any) -> Iterator[tuple[dict[int, Any], int]]:
    """Yield the metadata of each column chunk, and the offset of the footer."""
    size = len(content)
    if size < 12 or content[:4] != _MAGIC or content[-4:] != _MAGIC:
        way = "join tables of text by cat FILES | boruvka solve - --bad-rows skip"
        raise ValueError(f"it does not begin and end as such a file; {way}")
    start = size - 8 - int.from_bytes(content[-8:-4], "little")
    if start < 4:
        raise ValueError("the footer is longer than the file")
    footer = _Thrift(content, start).struct()
    schema, rows, groups = footer[2], footer[3], footer[4]
    names = [element[4] for element in schema]
    names += [name for group in groups for chunk in group[1] for name in chunk[3][3]]
    metadata = [pair[k] for pair in footer.get(5, ()) for k in pair]
    for text in (*names, *metadata, footer.get(6, b"")):
        text.decode()
    if rows != sum(group[3] for group in groups):
        raise ValueError("row groups have another number of rows than the file")
    columns = list(_columns(schema))
    for group in groups:
        for chunk, column in zip(group[1], columns, strict=True):
            _check_chunk(chunk[3], *column, group[3])
            yield chunk[3], start


def _columns(schema: list[_Struct]) -> Iterator[tuple[int, int, int]]:
    """Yield the type of each column, and its highest level of definition and of repetition."""
    parents = [(schema[0][5], 0, 0)]  # number of children that follow, and levels
    for element in schema[1:]:
        while not parents[-1][0]:
            parents.pop()
        children, definition, repetition = parents.pop()
        parents.append((children - 1, definition, repetition))
        kind = element.get(3, _REQUIRED)
        if kind not in (_REQUIRED, _OPTIONAL, _REPEATED):
            raise ValueError("a column is neither required, optional nor repeated")
        if {element.types.get(field, _INT32) for field in (1, 3, 5)} != {_INT32}:  # Arrow skips such fields
            raise ValueError("a field of the schema has another type")
        levels = definition + (kind != _REQUIRED), repetition + (kind == _REPEATED)
        if 5 in element:
            parents.append((element[5], *levels))
        else:
            yield element[1], *levels
    if any(children for children, _, _ in parents):
        raise ValueError("columns are missing")


def _check_chunk(chunk: dict[int, Any], kind: int, definition: int, repetition: int, rows: int) -> None:
    """Compare the metadata of a column chunk with the schema."""
    statistics = chunk.get(16, {})
    if chunk[1] != kind or (1 in statistics and kind != _BYTE_ARRAY):
        raise ValueError("a column has another type than in the schema")
    for histogram, level in (statistics.get(2, ()), repetition), (statistics.get(3, ()), definition):
        if len(histogram) not in (0, level + 1):
            raise ValueError("a histogram has another size than the schema says")
    if not 0 <= rows <= chunk[5]:
        raise ValueError("a column has fewer values than the row group has rows")


def _size_of_chunk(content: Any, chunk: dict[int, Any], footer: int) -> int:
    """Read the headers of the pages of a column chunk; return the bytes of its values in memory."""
    position, left, size = min(chunk[9], chunk.get(11) or chunk[9]), chunk[5], 0
    if left == 0:  # then offsets may be 0
        return 0
    end = position + chunk[7]
    if not 4 <= position <= end <= footer:
        raise ValueError("the pages of a column are outside of the file")
    while left > 0:
        header = _Thrift(content, position)
        page = header.struct()
        position = header.position + page[3]
        data = page.get(5) or page.get(8)
        sizes, values = (page[2], page[3]), (data or page[7])[1]
        levels = (page[8][5], page[8][6]) if 8 in page else (0,)
        if min(*sizes, values, *levels) < 0 or sum(levels) > min(sizes) or position > end:
            raise ValueError("a page has another size than its column")
        left -= values if data else 0
        size += page[2] + values * _BYTES_OF_VALUE
    if left < 0:
        raise ValueError("pages have more values than their column")
    return size


class _Struct(dict[int, Any]):
    """A struct of Thrift: values of fields by their numbers, and the types of the fields in ``types``."""

    def __init__(self) -> None:
        self.types: dict[int, int] = {}


class _Thrift:
    """Reader of the compact protocol of Thrift."""

    def __init__(self, data: Any, position: int):
        self._data, self.position = data, position

    def struct(self) -> _Struct:
        fields, number = _Struct(), 0
        while head := self._byte():
            number, kind = number + (head >> 4) if head >> 4 else self._signed(), head & 15
            fields[number] = kind == 1 if kind in (1, 2) else self._value(kind)
            fields.types[number] = kind
        return fields

    def _value(self, kind: int) -> Any:
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
                return [self._value(head & 15) for _ in range(count)]
            case 12:
                return self.struct()
        raise ValueError(f"there is no type {kind}")

    def _byte(self) -> int:
        self.position += 1
        return int(self._data[self.position - 1])

    def _bytes(self, count: int) -> bytes:
        self.position += count
        return bytes(self._data[self.position - count : self.position])

    def _unsigned(self) -> int:
        number = 0
        for shift in range(0, 64, 7):
            byte = self._byte()
            number |= (byte & 127) << shift
            if byte < 128:
                return number
        raise ValueError("a number is too long")

    def _signed(self) -> int:
        number = self._unsigned()
        return number >> 1 ^ -(number & 1)
