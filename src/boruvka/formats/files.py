"""Files as bytes: opened and decompressed, written whole or not at all."""

from __future__ import annotations

import contextlib
import gzip
import io
import mmap
import os
import secrets
import stat
import tempfile
import zlib
from collections.abc import Iterator
from functools import cached_property
from typing import Any, BinaryIO

from boruvka.errors import FileError, FormatError
from boruvka.formats.text.lines import Text

__all__ = ["Source", "check_writable", "file_name", "plain_name", "writing"]

_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd"}
_PIECE = 1 << 20
_DESCRIPTORS = "/proc/self/fd"


def _compression(path: str) -> str | None:
    return _COMPRESSIONS.get(os.path.splitext(path)[1].lower())


def file_name(path: str | bytes | os.PathLike[Any]) -> str:
    """The name of a file as text.

    Raises
    ------
    FileError
        No file can be named so.
    """
    name = os.fsdecode(path)
    with contextlib.suppress(UnicodeEncodeError):
        if b"\0" not in os.fsencode(name):
            return name
    raise FileError(f"{name!r}: no file can have this name")


def plain_name(path: str) -> str:
    """The name of a file in small letters, without the ending of a compression."""
    name = os.path.basename(path).lower()
    return os.path.splitext(name)[0] if _compression(name) else name


class Source:
    """A file to read.

    Parameters
    ----------
    path : path-like
        Its name; ``.gz`` and ``.zst`` are decompressed.

    Raises
    ------
    FileError
        The file cannot be opened or read.
    FormatError
        Its compressed data is damaged or cut off.
    """

    def __init__(self, path: str | bytes | os.PathLike[Any]):
        self.path = file_name(path)

    def error(self, message: str) -> FormatError:
        """What is wrong with the file as a whole."""
        return FormatError(f"{self.path}: {message}")

    @cached_property
    def content(self) -> bytes | mmap.mmap:
        """All bytes, decompressed; mapped into memory where the file allows it."""
        compression = _compression(self.path)
        with _file_errors(self.path), open(self.path, "rb") as file:
            if compression is None and _can_be_mapped(file):
                return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            packed = file.read()
        if not packed:
            raise self.error("the file is empty")
        if compression == "gzip":
            return self._gunzip(packed)
        if compression == "zstd":
            return self._unzstd(packed)
        return packed

    @cached_property
    def text(self) -> Text:
        """The content as text."""
        return Text(self.path, self.content)

    @contextlib.contextmanager
    def binary(self) -> Iterator[BinaryIO]:
        """Open the content as a binary file that can be searched."""
        with _file_errors(self.path), contextlib.ExitStack() as stack:
            if _compression(self.path) is None:
                file: BinaryIO = stack.enter_context(open(self.path, "rb"))
            else:
                file = io.BytesIO(self.content)
            yield file

    def _gunzip(self, packed: bytes) -> bytes:
        try:
            return gzip.decompress(packed)
        except EOFError:
            raise self.error("the gzip data is cut off") from None
        except (OSError, zlib.error) as error:
            raise self.error(f"the gzip data is damaged: {error}") from None

    def _unzstd(self, packed: bytes) -> bytes:
        import zstandard

        unpacked, frame = io.BytesIO(), None
        try:
            for start in range(0, len(packed), _PIECE):
                piece = packed[start : start + _PIECE]
                while piece:
                    frame = frame or zstandard.ZstdDecompressor().decompressobj()
                    unpacked.write(frame.decompress(piece))
                    piece = frame.unused_data if frame.eof else b""
                    frame = None if frame.eof else frame
        except zstandard.ZstdError as error:
            raise self.error(f"the zstd data is damaged: {error}") from None
        if frame is not None:
            raise self.error("the zstd data is cut off")
        return unpacked.getvalue()


@contextlib.contextmanager
def writing(path: str | bytes | os.PathLike[Any]) -> Iterator[BinaryIO]:
    """Open a file to be written, compressed as its ending says.

    The bytes go to a temporary file in the same folder, which takes the name when all is written; on
    an error it is removed and what was there before stays. Where the system has files without a name, it
    is one until then, and goes even if the process is killed. A pipe or device is written directly.

    Raises
    ------
    FileError
        The file cannot be written.
    """
    name = file_name(path)
    with _file_errors(name):
        target = os.path.realpath(name)
        if _is_special(target):
            with open(target, "wb") as device, _compressed(device, name) as stream:
                yield stream
            return
        folder, base = os.path.split(target)
        temporary = os.path.join(folder, f".{base[:100]}.{secrets.token_hex(4)}.tmp")
        file: BinaryIO = _without_name(folder) or open(temporary, "xb")  # noqa: SIM115  the name outlives the file
        try:
            with file:
                with _compressed(file, name) as stream:
                    yield stream
                file.flush()
                _give_name(file, temporary)
            if os.path.exists(target):
                os.chmod(temporary, stat.S_IMODE(os.stat(target).st_mode))
            os.replace(temporary, target)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(temporary)
            raise


def check_writable(path: str | bytes | os.PathLike[Any]) -> None:
    """Find out whether a file can be written: make a temporary one beside it, which goes at once.

    Raises
    ------
    FileError
        It cannot.
    """
    name = file_name(path)
    with _file_errors(name):
        target = os.path.realpath(name)
        if not _is_special(target):
            tempfile.TemporaryFile(dir=os.path.dirname(target)).close()


def _without_name(folder: str) -> BinaryIO | None:
    """Open a file without a name in a folder, where the system has such files."""
    with contextlib.suppress(AttributeError, OSError):
        if os.path.isdir(_DESCRIPTORS):
            return open(os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o666), "wb")
    return None


def _give_name(file: BinaryIO, path: str) -> None:
    """Give a file a name if it has none."""
    if not os.path.lexists(path):
        descriptors = os.open(_DESCRIPTORS, os.O_RDONLY)
        try:
            os.link(str(file.fileno()), path, src_dir_fd=descriptors)
        finally:
            os.close(descriptors)


def _is_special(path: str) -> bool:
    """Say whether there is something that is no file, a pipe or a device, which nothing can replace."""
    return os.path.exists(path) and not os.path.isfile(path)


@contextlib.contextmanager
def _compressed(file: BinaryIO, path: str) -> Iterator[Any]:
    match _compression(path):
        case "gzip":
            # Level 4 takes a third of the time of level 6, for 2 % more bytes of text.
            with gzip.GzipFile("", "wb", compresslevel=4, fileobj=file, mtime=0) as stream:
                yield stream
        case "zstd":
            import zstandard

            with zstandard.ZstdCompressor(write_checksum=True).stream_writer(file, closefd=False) as stream:
                yield stream
        case _:
            yield file


@contextlib.contextmanager
def _file_errors(path: str) -> Iterator[None]:
    """Name the file in what the operating system reports."""
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}") from error


def _can_be_mapped(file: BinaryIO) -> bool:
    status = os.fstat(file.fileno())
    return stat.S_ISREG(status.st_mode) and status.st_size > 0
