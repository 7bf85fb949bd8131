"""Object code linked into one block of bytes that runs at any address, so that it is loaded without LLVM.

This is done on x86-64 where object files are ELF. Code there refers to itself by distances only, unless it
calls a function of the C library: that code is left to LLVM.

Source: System V Application Binary Interface, AMD64 Architecture Processor Supplement, sections 4.2 and 4.4.
"""

from __future__ import annotations

import struct
from typing import NamedTuple

X86_64_OBJECT = b"\x7fELF\x02\x01", 1, 62
"""Start of a file, its type, and its machine."""
SYMBOLS, RELOCATIONS, NO_BITS, UNWIND = 2, 4, 8, 0x70000001
"""Types of sections."""
WRITTEN, LOADED = 1, 2
"""Flags of sections."""
SHORT = 2, 4
"""Relocations of 32 bits, a distance to a symbol."""
TO_SYMBOL, FROM_TABLE, TO_TABLE = 24, 25, 29
"""Relocations of 64 bits: the distance to a symbol, the distance of a symbol from the global offset table,
and the distance to the table. The table is empty, and stands at the beginning of the block."""


class Section(NamedTuple):
    """A section header of an ELF file."""

    name: int
    type: int
    flags: int
    address: int
    offset: int
    size: int
    link: int
    info: int
    alignment: int
    entry_size: int

    def records(self, layout: str, content: bytes) -> list[tuple[int, ...]]:
        """Return the records of the section."""
        return list(struct.iter_unpack(layout, content[self.offset : self.offset + self.size]))


def link_object(content: bytes) -> tuple[bytes, int] | None:
    """Link object code.

    Parameters
    ----------
    content : bytes
        A relocatable file that defines ``entry``.

    Returns
    -------
    (bytes, int) or None
        The block, and the offset of ``entry`` in it; None if the code does not run at any address.
    """
    if (content[:6], *struct.unpack_from("<HH", content, 16)) != X86_64_OBJECT:
        return None
    headers, count = struct.unpack_from("<Q", content, 40)[0], struct.unpack_from("<H", content, 60)[0]
    sections = [Section(*struct.unpack_from("<IIQQQQIIQQ", content, headers + 64 * i)) for i in range(count)]
    block, places = bytearray(), {}
    for i, section in enumerate(sections):
        if section.flags & LOADED and section.type != UNWIND:
            if section.flags & WRITTEN or section.type == NO_BITS:
                return None
            block += bytes(-len(block) % max(section.alignment, 1))
            places[i] = len(block)
            block += content[section.offset : section.offset + section.size]

    (table,) = (section for section in sections if section.type == SYMBOLS)
    symbols = table.records("<IBBHQQ", content)
    names = sections[table.link].offset
    for section in sections:
        if section.type == RELOCATIONS and section.info in places:
            for offset, info, addend in section.records("<QQq", content):
                here, kind = places[section.info] + offset, info & 0xFFFFFFFF
                _, _, _, home, value, _ = symbols[info >> 32]
                if kind != TO_TABLE and (home not in places or kind not in (*SHORT, TO_SYMBOL, FROM_TABLE)):
                    return None
                target = 0 if kind == TO_TABLE else places[home] + value
                distance = target + addend - (0 if kind == FROM_TABLE else here)
                struct.pack_into("<i" if kind in SHORT else "<q", block, here, distance)
    entries = [
        places[home] + value
        for name, _, _, home, value, _ in symbols
        if home in places and content[names + name :].startswith(b"entry\0")
    ]
    return bytes(block), entries[0]
