"""Files as bytes: read and decompressed; compressed and written whole or not at all."""

from __future__ import annotations

import contextlib
import io
import itertools
import mmap
import os
import stat
from collections.abc import Callable, Iterator
from functools import cached_property, partial
from typing import Any, BinaryIO, TypeVar

from boruvka.errors import FileError, FormatError, OptionError
from boruvka.formats.arriving import ArrivingBytes, OtherSize
from boruvka.runtime.processors import processors
from boruvka.runtime.progress import is_listening, report

__all__ = [
    "File",
    "Source",
    "check_writable",
    "file_name",
    "is_stream",
    "name_without_compression",
    "writing",
]

File = str | bytes | os.PathLike[Any] | BinaryIO
"""A path, or a binary file object."""
_Result = TypeVar("_Result")
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd", ".bz2": "bzip2", ".xz": "xz"}
_MAGIC = {b"\x1f\x8b\x08": "gzip", b"\x28\xb5\x2f\xfd": "zstd", b"BZh": "bzip2", b"\xfd7zXZ\0": "xz"}
"""The first bytes of compressed data; no text of a graph begins with them."""
_INFLATE_BYTES = 1 << 16
"""Bytes of compressed data that are decompressed at once: the result fits in a cache."""
_ARRIVING_FROM = 1 << 21
"""A text of at least this many bytes is decompressed by another thread while it is parsed."""
_MOST_EXPANSION = 1 << 12
"""A stated size that implies a larger compression ratio is ignored; gzip reaches 1032."""
_GZIP = 31
"""zlib's ``wbits`` for the gzip format."""
_OPEN_FILES = "/proc/self/fd"
"""The folder in which Linux lists open files of a process; a link from it gives an unnamed file a name."""


def _compression(path: str) -> str | None:
    return _COMPRESSIONS.get(os.path.splitext(path)[1].lower())


def _compression_of(data: bytes | mmap.mmap) -> str | None:
    """Detect the compression of data from its first bytes."""
    first = data[: max(map(len, _MAGIC))]
    return next((name for magic, name in _MAGIC.items() if first.startswith(magic)), None)


def is_stream(file: Any) -> bool:
    """Return whether a file is a file object, not a path."""
    return hasattr(file, "read") or hasattr(file, "write")


def _inflate_library() -> Any:
    """Return zlib, or ISA-L, which has the same interface and is about three times as fast, if installed."""
    try:
        from isal import isal_zlib
    except ImportError:
        import zlib

        return zlib
    return isal_zlib


def file_name(path: File) -> str:
    """Return a path as text, or the name of a file object for messages.

    Raises
    ------
    FileError
        No file can have this name.
    """
    if is_stream(path):
        name = getattr(path, "name", None)
        return name if isinstance(name, str) else f"<{type(path).__name__}>"
    name = os.fsdecode(path)  # type: ignore[arg-type]
    with contextlib.suppress(UnicodeEncodeError):
        if b"\0" not in os.fsencode(name):
            return name
    raise FileError(f"{name!r}: no file can have this name")


def name_without_compression(path: str) -> str:
    """Return the name of a file in lower case, without its folder and the ending of a compression."""
    name = os.path.basename(path).lower()
    return os.path.splitext(name)[0] if _compression(name) else name


class Source:
    """A file to read.

    Parameters
    ----------
    file : path-like or binary file
        Its name, or a binary file object, which is read to its end. Data that is compressed, by the ending
        of the name or by its first bytes, is decompressed.

    Raises
    ------
    FileError
        The file cannot be opened or read.
    FormatError
        Its compressed data is damaged or cut off.
    """

    def __init__(self, file: File):
        self.path = file_name(file)
        self.lines_before = 0
        """Number of lines of the file before the content, if the content is a piece of the file."""
        self._stream: Any = file if is_stream(file) else None
        self.bytes_read = 0
        """Bytes of the file that `pieces` has read."""
        self._arriving: ArrivingBytes | None = None
        self._told = 0.0

    @classmethod
    def of_piece(cls, path: str, content: bytes, lines_before: int) -> Source:
        """Make a source of a piece of a file that begins after ``lines_before`` lines."""
        source = cls(path)
        source.content = source.arriving_content = content
        source.lines_before = lines_before
        source._told = 1.0  # who cuts a file into pieces reports them
        return source

    def error(self, message: str) -> FormatError:
        """Make an error about the file as a whole."""
        return FormatError(f"{self.path}: {message}")

    @property
    def is_stream(self) -> bool:
        """Whether it is a file object, which has no ending that tells the format."""
        return self._stream is not None

    @cached_property
    def content(self) -> bytes | mmap.mmap:
        """All bytes, decompressed; an uncompressed regular file is mapped into memory."""
        return self._stored if self._compression is None else b"".join(self._stored_pieces())

    @property
    def is_plain(self) -> bool:
        """Whether it is an uncompressed regular file, which other libraries can open by its path."""
        if self.is_stream or _compression(self.path) is not None:
            return False  # without reading it
        return isinstance(self._stored, mmap.mmap) and self._compression is None

    @cached_property
    def arriving_content(self) -> bytes | mmap.mmap | ArrivingBytes:
        """The content, for use in `attempt`; if it is large, another thread decompresses it meanwhile."""
        stored = self._stored
        size = _stated_size(stored, self._compression)
        if not _ARRIVING_FROM <= size <= _MOST_EXPANSION * len(stored) or processors() < 2:
            return self.content
        self._arriving = ArrivingBytes(self._stored_pieces(), size)
        return self._arriving

    def attempt(self, use: Callable[[], _Result]) -> _Result:
        """Call a function that uses the file, and return its result.

        If the compressed data is damaged, that error is raised, whatever the function returns or raises. The
        function is called again if the file does not have the size that it states.
        """
        try:
            try:
                result = use()
            except Exception:
                self._finish()
                raise
            self._finish()
            return result
        except OtherSize:
            self.arriving_content = self.content
            return use()
        finally:
            if self._arriving is not None:
                self._arriving.stop()

    def _finish(self) -> None:
        if self._arriving is not None:
            self._arriving.finish()

    @cached_property
    def _stored(self) -> bytes | mmap.mmap:
        """The bytes of the file; mapped into memory if no ending says that they are compressed."""
        with _file_errors(self.path):
            if self._stream is not None:
                stored = self._stream.read()
            else:
                with open(self.path, "rb") as file:
                    if _compression(self.path) is None and _can_be_mapped(file):
                        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
                    stored = file.read()
        _check_binary(self._stream, isinstance(stored, bytes))
        if not stored:
            raise self.error("the file is empty")
        return stored

    @cached_property
    def _compression(self) -> str | None:
        """The compression that the first bytes show, else the ending of the name."""
        return _compression_of(self._stored) or (None if self.is_stream else _compression(self.path))

    def tell(self, part: float) -> None:
        """Report how much of the file has been read, as a part of 1; a second attempt repeats nothing."""
        if part > self._told and is_listening():
            self._told = part
            is_stored = "_stored" in vars(self)
            if self._stream is not None and not is_stored:
                return
            size = len(self._stored) if is_stored else os.path.getsize(self.path)
            report("read", int(part * size), size, "bytes")

    @contextlib.contextmanager
    def binary(self) -> Iterator[BinaryIO]:
        """Open the decompressed content as a seekable binary file."""
        content = self.content
        with _file_errors(self.path), contextlib.ExitStack() as stack:
            if isinstance(content, mmap.mmap):
                file: BinaryIO = stack.enter_context(open(self.path, "rb"))
            else:
                file = io.BytesIO(content)
            yield file

    def pieces(self) -> Iterator[bytes]:
        """Read and decompress the file in pieces, which are not kept."""
        with _file_errors(self.path), contextlib.ExitStack() as stack:
            file = self._stream or stack.enter_context(open(self.path, "rb"))
            first = self._read_block(file)
            _check_binary(file, isinstance(first, bytes))
            if not first:
                raise self.error("the file is empty")
            blocks = itertools.chain([first], iter(lambda: self._read_block(file), b""))
            name = _compression_of(first) or (None if self.is_stream else _compression(self.path))
            yield from blocks if name is None else self._decompressed(name, blocks)

    def _read_block(self, file: Any) -> bytes:
        block = file.read(_INFLATE_BYTES)
        self.bytes_read += len(block)
        return block

    def _stored_pieces(self) -> Iterator[bytes]:
        """Decompress pieces of the file, each of which fits a cache."""
        stored = self._stored
        starts = range(0, len(stored), _INFLATE_BYTES)
        return self._decompressed(self._compression, (stored[i : i + _INFLATE_BYTES] for i in starts))

    def _decompressed(self, name: str | None, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Decompress blocks of the file.

        All members (streams, frames) are decompressed; there may be zeros between them. The libraries' own
        file readers are not used, because for some compressions they return truncated data without an error.
        """
        begin_member, library_error = _decompressor(name)
        member, ended, begins = None, False, None
        try:
            for rest in blocks:
                begins = _compression_of(rest) if begins is None else begins
                while rest := rest.lstrip(b"\0") if ended else rest:
                    member = member or begin_member()
                    yield member.decompress(rest)
                    ended = member.eof
                    rest, member = (member.unused_data, None) if ended else (b"", member)
        except library_error as error:
            reason = error if begins == name else f"the file does not begin as {name} data"
            raise self.error(f"the {name} data is damaged: {reason}") from None
        if not ended:
            raise self.error(f"the {name} data is cut off")


def _decompressor(name: str | None) -> tuple[Callable[[], Any], type[Exception]]:
    """Return a function that makes a decompressor for one member, and the exception of its library."""
    match name:
        case "gzip":
            inflate = _inflate_library()
            return partial(inflate.decompressobj, _GZIP), inflate.error
        case "zstd":
            import zstandard

            return lambda: zstandard.ZstdDecompressor().decompressobj(), zstandard.ZstdError
        case "bzip2":
            import bz2

            return bz2.BZ2Decompressor, OSError
        case _:
            import lzma

            return partial(lzma.LZMADecompressor, lzma.FORMAT_XZ), lzma.LZMAError


def _stated_size(stored: bytes | mmap.mmap, compression: str | None) -> int:
    """Return the decompressed size that a file of one member or frame states; 0 or less if it does not."""
    if compression == "gzip":
        return int.from_bytes(stored[-4:], "little")
    if compression == "zstd":
        import zstandard

        with contextlib.suppress(zstandard.ZstdError):
            return zstandard.frame_content_size(stored[:32])
    return 0


@contextlib.contextmanager
def writing(path: File) -> Iterator[BinaryIO]:
    """Open a file for writing; its ending chooses the compression. The file appears whole or not at all.

    A file object gets all bytes at the end, uncompressed; its errors are raised unchanged.

    The bytes go to a temporary file in the same folder, which replaces the target at the end. On an error
    the temporary file is removed and the target stays as it was. Where the system has files without a
    name, the temporary file gets its name only at the end, so a killed process leaves nothing behind.
    A pipe or device is written directly.

    Raises
    ------
    FileError
        The file cannot be written.
    """
    if is_stream(path):
        with _writing_to_stream(path) as temporary_file:
            yield temporary_file
        return
    import secrets

    name = file_name(path)
    with _file_errors(name):
        target = os.path.realpath(name)
        if _is_pipe_or_device(target):
            with open(target, "wb") as device, _compressor(device, name) as stream:
                yield stream
            return
        folder, base = os.path.split(target)
        temporary = os.path.join(folder, f".{base[:100]}.{secrets.token_hex(4)}.tmp")
        file: BinaryIO = _open_unnamed(folder) or open(temporary, "xb")  # noqa: SIM115  closed below
        try:
            with file:
                with _compressor(file, name) as stream:
                    yield stream
                file.flush()
                _link_if_unnamed(file, temporary)
            if os.path.exists(target):
                os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise


@contextlib.contextmanager
def _writing_to_stream(stream: Any) -> Iterator[BinaryIO]:
    """Open a temporary file, which is copied to a file object at the end."""
    import shutil
    import tempfile

    _check_binary(stream, not isinstance(stream, io.TextIOBase))
    with tempfile.TemporaryFile() as file:
        yield file
        file.seek(0)
        shutil.copyfileobj(file, stream)
        stream.flush()


def _check_binary(stream: Any, is_binary: bool) -> None:
    if not is_binary:
        raise OptionError(f"{file_name(stream)}: expected a binary file, such as sys.stdin.buffer, not text")


def check_writable(path: File) -> None:
    """Check that a file can be written, by making and removing a temporary file beside it.

    Raises
    ------
    FileError
        The file cannot be written.
    """
    import tempfile

    if is_stream(path):
        return
    name = file_name(path)
    with _file_errors(name):
        target = os.path.realpath(name)
        if not _is_pipe_or_device(target):
            tempfile.TemporaryFile(dir=os.path.dirname(target)).close()


def _open_unnamed(folder: str) -> BinaryIO | None:
    """Open a new file without a name in a folder; None where the system has no such files."""
    with contextlib.suppress(AttributeError, OSError):
        if os.path.isdir(_OPEN_FILES):
            return open(os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o666), "wb")
    return None


def _link_if_unnamed(file: BinaryIO, path: str) -> None:
    """Give an open file a name if it has none."""
    if not os.path.lexists(path):
        open_files = os.open(_OPEN_FILES, os.O_RDONLY)
        try:
            os.link(str(file.fileno()), path, src_dir_fd=open_files)
        finally:
            os.close(open_files)


def _is_pipe_or_device(path: str) -> bool:
    """Return whether a path exists and is not a regular file, so that it cannot be replaced."""
    return os.path.exists(path) and not os.path.isfile(path)


@contextlib.contextmanager
def _compressor(file: BinaryIO, path: str) -> Iterator[Any]:
    """Open a stream that compresses into a file, as the ending of the path says."""
    match _compression(path):
        case "gzip":
            import gzip

            # Level 4 takes a third of the time of level 6, for 2 % more bytes of text.
            with gzip.GzipFile("", "wb", compresslevel=4, fileobj=file, mtime=0) as stream:
                yield stream
        case "bzip2":
            import bz2

            with bz2.BZ2File(file, "wb") as stream:
                yield stream
        case "xz":
            import lzma

            with lzma.LZMAFile(file, "wb") as stream:
                yield stream
        case "zstd":
            import zstandard

            with zstandard.ZstdCompressor(write_checksum=True).stream_writer(file, closefd=False) as stream:
                yield stream
        case _:
            yield file


@contextlib.contextmanager
def _file_errors(path: str) -> Iterator[None]:
    """Turn errors of the operating system into `FileError`, which names the file."""
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from error


def _can_be_mapped(file: BinaryIO) -> bool:
    status = os.fstat(file.fileno())
    return stat.S_ISREG(status.st_mode) and status.st_size > 0
