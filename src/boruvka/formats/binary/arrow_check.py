"""Check the metadata of an Arrow file before a library trusts it.

Where sizes are damaged, polars asks for more memory than there is, which ends the process. Messages are
flatbuffers. Sources: https://arrow.apache.org/docs/format/Columnar.html, Message.fbs, File.fbs.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

from boruvka.formats.files import Source
from boruvka.runtime.processors import check_room

__all__ = ["MAGIC", "check_arrow"]

MAGIC = b"ARROW1"
"""The first bytes of a file; a stream has none."""
_CONTINUED = 0xFFFFFFFF
_DICTIONARY, _RECORDS = 2, 3
_BYTES_OF_VALUE = 8
_BLOCK_BYTES, _NODE_BYTES, _BUFFER_BYTES = 24, 16, 16


def check_arrow(source: Source) -> None:
    """Raise an error unless the metadata of a file fits the file, and its content the memory.

    Raises
    ------
    FormatError
        The metadata is damaged.
    FileError
        The content needs more memory than is free.
    """
    content = source.content
    messages = _messages_of_file if content[: len(MAGIC)] == MAGIC else _messages_of_stream
    try:
        size = sum(_size_of_message(content, *message) for message in messages(content))
    except (ValueError, struct.error) as error:
        raise source.error(f"cannot be read as Arrow: the metadata is damaged: {error}") from None
    check_room(source.path, size)


def _messages_of_stream(content: Any) -> Iterator[tuple[int, int]]:
    """Yield where the metadata of each message begins and ends."""
    at = 0
    while at + 4 <= len(content):
        begin = at + (8 if _number(content, at, "<I") == _CONTINUED else 4)
        size = _number(content, begin - 4, "<i")
        if size == 0:
            return
        end = begin + size
        yield begin, end
        at = end + _Table.at(content, begin).scalar(3, "<q")


def _messages_of_file(content: Any) -> Iterator[tuple[int, int]]:
    end = len(content) - len(MAGIC) - 4
    begin = end - _number(content, end, "<i")
    footer = _Table.at(content, begin)
    for blocks in footer.structs(2, _BLOCK_BYTES), footer.structs(3, _BLOCK_BYTES):
        for block in blocks:
            at, size = _number(content, block, "<q"), _number(content, block + 8, "<i")
            framed = 8 if _number(content, at, "<I") == _CONTINUED else 4
            if _number(content, at + framed - 4, "<i") > size:
                raise ValueError("a message is longer than its block")
            yield at + framed, at + size


def _size_of_message(content: Any, begin: int, end: int) -> int:
    """Check a message; return the bytes that its values take in memory."""
    message = _Table.at(content, begin)
    body = message.scalar(3, "<q")
    if not 0 <= begin < end <= end + body <= len(content):
        raise ValueError("a message is longer than the file")
    kind, batch = message.scalar(1, "<B"), message.table(2)
    if kind == _DICTIONARY:
        batch = batch and batch.table(1)
    if kind not in (_DICTIONARY, _RECORDS) or batch is None:
        return 0
    buffers = list(batch.structs(2, _BUFFER_BYTES))
    is_compressed, size, stored = batch.table(3) is not None, 0, 0
    for buffer in buffers:
        offset, length = _number(content, buffer, "<q"), _number(content, buffer + 8, "<q")
        if not 0 <= offset <= offset + length <= body:
            raise ValueError("a buffer is outside of its message")
        stored += length
        if is_compressed and length >= 8:
            stated = _number(content, end + offset, "<q")  # -1: not compressed
            if stated < -1:
                raise ValueError("a buffer has a negative size")
            size += stated if stated >= 0 else length
    values = [_number(content, node, "<q") for node in batch.structs(1, _NODE_BYTES)]
    variadic = [_number(content, count, "<q") for count in batch.structs(4, 8)]
    if (
        min([0, *values, *variadic]) < 0
        or sum(variadic) > len(buffers)
        or max(values, default=0) > 8 * max(size, stored)
    ):
        raise ValueError("a column has more values than bytes")
    return size + _BYTES_OF_VALUE * sum(values) if is_compressed else size


class _Table(NamedTuple):
    """A table of a flatbuffer."""

    content: Any
    place: int

    @classmethod
    def at(cls, content: Any, begin: int) -> _Table:
        """Return the table to which an offset leads."""
        return cls(content, begin + _number(content, begin, "<I"))

    def _field(self, number: int) -> int:
        """Return where a field is; 0 if the table does not have it."""
        names = self.place - _number(self.content, self.place, "<i")
        entry = 4 + 2 * number
        offset = (
            _number(self.content, names + entry, "<H") if entry < _number(self.content, names, "<H") else 0
        )
        return self.place + offset if offset else 0

    def scalar(self, number: int, form: str) -> int:
        place = self._field(number)
        return _number(self.content, place, form) if place else 0

    def table(self, number: int) -> _Table | None:
        place = self._field(number)
        return _Table.at(self.content, place) if place else None

    def structs(self, number: int, size: int) -> range:
        """Return where the elements of a vector are."""
        if not (place := self._field(number)):
            return range(0)
        begin = place + _number(self.content, place, "<I") + 4
        end = begin + size * _number(self.content, begin - 4, "<I")
        if end > len(self.content):
            raise ValueError("a list is longer than the file")
        return range(begin, end, size)


def _number(content: Any, place: int, form: str) -> int:
    if place < 0:
        raise ValueError("an offset is outside of the file")
    return int(struct.unpack_from(form, content, place)[0])
