"""Files as bytes: read and decompressed."""

from __future__ import annotations

import contextlib
import io
import itertools
import mmap
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, partial
from typing import Any, BinaryIO, TypeVar

from boruvka.errors import FormatError, warn
from boruvka.formats.background_bytes import BackgroundBytes, SizeMismatch
from boruvka.runtime import zstandard_data
from boruvka.runtime.libraries import reading_errors
from boruvka.runtime.output_files import (
    File,
    check_binary,
    compression_of_name,
    file_errors,
    file_name,
    is_stream,
)
from boruvka.runtime.processors import check_addresses, check_room, free_memory, processors
from boruvka.runtime.progress import is_listening, report

_Result = TypeVar("_Result")
_MAGIC = {b"\x1f\x8b\x08": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2", b"\xfd7zXZ\0": "xz"}
"""The first bytes of compressed data; no text of a graph begins with them."""
_INFLATE_BYTES = 1 << 16
"""Bytes of compressed data that are decompressed at once: the result fits in a cache."""
_ARRIVING_BYTES = 1 << 21
"""Minimum size of a text that another thread decompresses while it is parsed."""
_MAX_EXPANSION = 1 << 12
"""A stated size that implies a larger compression ratio is ignored; gzip reaches 1032."""
_GZIP = 31
"""zlib's ``wbits`` for the gzip format."""
_XZ_MEMORY = 1 << 30
"""Maximum memory of a decompressor of xz in bytes; `xz -9` asks for 65 MB."""
_CHECKED_BYTES = 1 << 26
"""Decompressed bytes after which the free memory is checked."""
_LAYER = re.compile(r"(?is)(.+\.gpkg(?:\.\w+)?):([^/\\]+)")
"""The path of a GeoPackage, and the name of a layer."""


class NotUtf8Error(FormatError):
    """A line of a text is not UTF-8; `InputFile.attempt` reads the text as Windows-1252 instead."""


class InputFile:
    """A file to read.

    Parameters
    ----------
    file : path-like or binary file
        Its name, or with the name of a layer ``FILE:LAYER``, or a binary file object, which is read to its
        end. Data that is compressed, by the ending of the name or by its first bytes, is decompressed.

    Raises
    ------
    FileError
        The file cannot be opened or read.
    FormatError
        Its compressed data is damaged or cut off.
    """

    def __init__(self, file: File):
        file, self.layer = path_and_layer(file)
        self.path = file_name(file)
        self.lines_before = 0
        """Number of lines of the file before the content, if the content is a batch of its lines."""
        self.is_batch = False
        """Whether the content is a batch of the lines of the file."""
        self.text: bytes | None = None
        """The content in UTF-8, if `decode` found text in another encoding."""
        self._stream: Any = file if is_stream(file) else None
        self.bytes_read = 0
        """Bytes of the file that `decompressed` has read."""
        self._arriving: BackgroundBytes | None = None
        self._reported = 0.0

    @classmethod
    def of_bytes(cls, path: str, content: bytes, lines_before: int) -> InputFile:
        """Wrap the bytes of a file that begin after ``lines_before`` lines."""
        file = cls(path)
        file.content = file.background_content = content
        file.lines_before, file.is_batch = lines_before, True
        file._reported = 1.0  # the caller reports how many bytes have been read
        return file

    def error(self, message: str) -> FormatError:
        """Make an error about the file as a whole."""
        return FormatError(f"{self.path}: {message}")

    @property
    def is_stream(self) -> bool:
        """Whether it is a file object, which has no ending that shows the format."""
        return self._stream is not None

    @property
    def is_plain(self) -> bool:
        """Whether it is an uncompressed regular file, which other libraries can open by its path."""
        if self.is_stream or compression_of_name(self.path) is not None:
            return False  # without reading it
        return isinstance(self._stored, mmap.mmap) and self._compression is None

    @cached_property
    def content(self) -> bytes | mmap.mmap:
        """All bytes, decompressed; an uncompressed regular file is mapped into memory."""
        if self._compression is None:
            return self._stored
        joined, size, checked = [], 0, _CHECKED_BYTES
        for data in self._decompressed(self._compression, self._stored_in_turn()):
            joined.append(data)
            size += len(data)
            if size > checked:
                check_room(self.path, size)  # to join them
                checked = 2 * size
        return b"".join(joined)

    @cached_property
    def background_content(self) -> bytes | mmap.mmap | BackgroundBytes:
        """The content, for use in `attempt`; if it is large, another thread decompresses it meanwhile."""
        stored = self._stored
        size = _stated_size(stored, self._compression)
        largest = min(_MAX_EXPANSION * len(stored), free_memory())
        if not _ARRIVING_BYTES <= size <= largest or processors() < 2:
            return self.content
        self._arriving = BackgroundBytes(self._decompressed(self._compression, self._stored_in_turn()), size)
        return self._arriving

    def attempt(self, use: Callable[[], _Result]) -> _Result:
        """Call a function that uses the file, and return its result.

        If the compressed data is damaged, that error is raised, whatever the function returns or raises. The
        function is called again if the file does not have the size that it states, and if it is text in
        Windows-1252.

        Raises
        ------
        FormatError, FileError
            The function raised one, or anything else that `reading_errors` turns into one.
        """
        notice = ""
        with reading_errors(self.path):
            try:
                return self._use_to_end(use)
            except SizeMismatch:
                self.background_content = self.content
            except NotUtf8Error:
                if self.text is not None or not str(self.content, "utf-8", "ignore").isascii():
                    raise  # some of it is UTF-8
                self.decode("Windows-1252")
                notice = "the text is not UTF-8: it is read as Windows-1252; convert it if letters are wrong"
            finally:
                if self._arriving is not None:
                    self._arriving.stop()
                    self._arriving = None
        result = self.attempt(use)
        if notice:
            warn(f"{self.path}: {notice}")
        return result

    def decode(self, encoding: str) -> None:
        """Take the content as text in another encoding than UTF-8.

        Raises
        ------
        FormatError
            It is not in this encoding, or it is a batch of a stream.
        """
        if self.is_batch:
            convert = f"convert it with iconv -f {encoding} -t UTF-8"
            raise self.error(f"expected text in UTF-8, found {encoding}, which is not streamed: {convert}")
        check_room(self.path, 2 * len(self.content))
        try:
            self.text = str(self.content, encoding).encode()
        except UnicodeDecodeError:
            raise self.error(f"the text is neither UTF-8 nor {encoding}") from None

    def _use_to_end(self, use: Callable[[], _Result]) -> _Result:
        """Call a function; an error of the thread that decompresses replaces one of the function."""
        try:
            result = use()
        except Exception:
            self._finish()
            raise
        self._finish()
        return result

    def _finish(self) -> None:
        if self._arriving is not None:
            self._arriving.finish()

    def report_read(self, share: float) -> None:
        """Report the share of the file that has been read, from 0 to 1; a second attempt repeats nothing."""
        if share > self._reported and is_listening():
            self._reported = share
            is_stored = "_stored" in vars(self)
            if not (is_stored or os.path.isfile(self.path)):  # a stream, a folder or a pattern
                return
            size = len(self._stored) if is_stored else os.path.getsize(self.path)
            report("read", int(share * size), size, "bytes")

    @contextlib.contextmanager
    def binary(self) -> Iterator[BinaryIO]:
        """Open the decompressed content as a seekable binary file."""
        content = self.content
        with file_errors(self.path):
            if isinstance(content, mmap.mmap):
                with open(self.path, "rb") as file:
                    yield file
            else:
                yield io.BytesIO(content)

    def decompressed(self) -> Iterator[bytes]:
        """Read and decompress the file; the bytes are not kept."""
        with file_errors(self.path), contextlib.ExitStack() as stack:
            file = self._stream or stack.enter_context(open(self.path, "rb"))
            first = self._read_some(file)
            check_binary(file, isinstance(first, bytes))
            if not first:
                raise self.error("the file is empty")
            data = itertools.chain([first], iter(lambda: self._read_some(file), b""))
            compression = self._compression_of(first)
            yield from data if compression is None else self._decompressed(compression, data)

    def _read_some(self, file: Any) -> bytes:
        data = file.read(_INFLATE_BYTES)
        self.bytes_read += len(data)
        return data

    @cached_property
    def _stored(self) -> bytes | mmap.mmap:
        """The bytes of the file; mapped into memory if no ending says that they are compressed."""
        with file_errors(self.path):
            if self._stream is not None:
                stored = self._stream.read()
            else:
                with open(self.path, "rb") as file:
                    if compression_of_name(self.path) is None and _can_be_mapped(file):
                        check_addresses(self.path, os.fstat(file.fileno()).st_size)
                        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
                    stored = file.read()
        check_binary(self._stream, isinstance(stored, bytes))
        if not stored:
            raise self.error("the file is empty")
        return stored

    @cached_property
    def _compression(self) -> str | None:
        return self._compression_of(self._stored)

    def _compression_of(self, data: bytes | mmap.mmap) -> str | None:
        """Return the compression that the first bytes show, else the ending of the name."""
        return _magic_compression(data) or (None if self.is_stream else compression_of_name(self.path))

    def _stored_in_turn(self) -> Iterator[bytes]:
        stored = self._stored
        return (stored[i : i + _INFLATE_BYTES] for i in range(0, len(stored), _INFLATE_BYTES))

    def _decompressed(self, name: str | None, data: Iterable[bytes]) -> Iterator[bytes]:
        """Decompress the bytes of the file, which come one after the other.

        All members (streams, frames) are decompressed; there may be zeros between them. The libraries' own
        file readers are not used, because for some compressions they return truncated data without an error.
        """
        begin_member, library_errors = _decompressor(name)
        member, ended, found, is_empty = None, False, None, True
        try:
            for rest in data:
                found = _magic_compression(rest) if found is None else found
                while rest := rest.lstrip(b"\0") if ended else rest:
                    member = member or begin_member()
                    yield (decompressed := member.decompress(rest))
                    is_empty = is_empty and not decompressed
                    ended = member.eof
                    rest, member = (member.unused_data, None) if ended else (b"", member)
        except library_errors as error:
            reason = error if found == name else f"the file does not begin as {name} data"
            if "Memory usage limit" in str(error):
                reason = "it asks for more than 1 GB of memory: compress it again with another level"
            raise self.error(f"the {name} data is damaged: {reason}") from None
        if not ended or is_empty:
            raise self.error("the file is empty" if ended else f"the {name} data is cut off")


def path_and_layer(file: Any) -> tuple[Any, str | None]:
    """Split ``FILE:LAYER``, a layer of a GeoPackage; of anything else, the layer is None."""
    match = _LAYER.fullmatch(str(file)) if isinstance(file, str | os.PathLike) else None
    return (file, None) if match is None or os.path.exists(file) else (match[1], match[2])


def _magic_compression(data: bytes | mmap.mmap) -> str | None:
    """Detect the compression of data from its first bytes."""
    return next((name for magic, name in _MAGIC.items() if data[: len(magic)] == magic), None)


def _decompressor(name: str | None) -> tuple[Callable[[], Any], Any]:
    """Return a function that makes a decompressor for one member, and the exceptions of its library."""
    match name:
        case "gzip":
            inflate = _inflate_library()
            return partial(inflate.decompressobj, _GZIP), inflate.error
        case "zstd":
            return zstandard_data.decompressor()
        case "bzip2":
            import bz2

            return bz2.BZ2Decompressor, OSError
        case _:
            import lzma

            return partial(lzma.LZMADecompressor, lzma.FORMAT_XZ, _XZ_MEMORY), lzma.LZMAError


def _inflate_library() -> Any:
    """Return zlib, or ISA-L, which has the same interface and is about three times as fast, if installed."""
    try:
        from isal import isal_zlib
    except ImportError:
        import zlib

        return zlib
    return isal_zlib


def _stated_size(stored: bytes | mmap.mmap, compression: str | None) -> int:
    """Return the decompressed size that a file of one member or frame states; 0 or less if it does not."""
    if compression == "gzip":
        return int.from_bytes(stored[-4:], "little")
    if compression == "zstd":
        return zstandard_data.stated_size(stored[:32])
    return 0


def _can_be_mapped(file: BinaryIO) -> bool:
    status = os.fstat(file.fileno())
    return stat.S_ISREG(status.st_mode) and status.st_size > 0
