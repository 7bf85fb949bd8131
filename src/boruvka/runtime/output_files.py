"""Files that are written whole or not at all, and compressed as their ending says."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import stat
from collections.abc import Iterator
from typing import Any, BinaryIO

from boruvka.errors import FileError, OptionError, shown
from boruvka.runtime import zstandard_data
from boruvka.runtime.arguments import did_you_mean

File = str | bytes | os.PathLike[Any] | BinaryIO
"""A path, or a binary file object."""
_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".zstd": "zstd", ".bz2": "bzip2", ".xz": "xz"}
_OPEN_FILES = "/proc/self/fd"
"""The folder in which Linux lists open files of a process; a link from it gives an unnamed file a name."""
_DESCRIPTOR = re.compile(r"/dev/std(out|err)|(?:/dev|/proc/self)/fd/(\d+)")
"""Names of files that are open already, as by a redirection of the shell."""


def compression_of_name(path: str) -> str | None:
    """Return the compression that the ending of a name says."""
    return _COMPRESSIONS.get(os.path.splitext(path)[1].lower())


def name_without_compression(path: str) -> str:
    """Return the name of a file in lower case, without its folder and the ending of a compression."""
    name = os.path.basename(path).lower()
    return os.path.splitext(name)[0] if compression_of_name(name) else name


def is_stream(file: Any) -> bool:
    """Return whether a file is a file object, not a path."""
    return hasattr(file, "read") or hasattr(file, "write")


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
    if not isinstance(path, str | bytes | os.PathLike):
        raise OptionError(f"expected a path or a binary file object, got {shown(path)}")
    name = os.fsdecode(path)
    with contextlib.suppress(UnicodeEncodeError):
        if b"\0" not in os.fsencode(name):
            return name
    raise FileError(f"{name!r}: no file can have this name")


@contextlib.contextmanager
def writing(path: File) -> Iterator[BinaryIO]:
    """Open a file for writing; its ending chooses the compression. The file appears whole or not at all.

    A file object gets all bytes at the end, uncompressed; its errors are raised unchanged.

    The bytes go to a temporary file in the same folder, which takes the place of the target when all of them
    are on the disk. On an error it is removed, and the target stays as it was. Where the system has files
    without a name, the temporary file has none. A new target then gets its own name at once; a file that
    replaces a target has another name between two system calls. A symbolic link stays, and the file to which
    it leads is replaced. A pipe, a device or an open descriptor is written directly.

    Raises
    ------
    FileError
        The file cannot be written.
    """
    if is_stream(path):
        with _writing_to_stream(path) as temporary_file:
            yield temporary_file
        return
    name = file_name(path)
    with file_errors(name):
        target = _target(name)
        with _open_directly(name, target) or _replacing(target) as file, _compressor(file, name) as stream:
            yield stream


@contextlib.contextmanager
def _replacing(target: str) -> Iterator[BinaryIO]:
    """Open a new file in the folder of a target; it takes the place of the target, unless an error occurs."""
    import secrets

    _check_replaceable(target)
    folder = os.path.dirname(target)
    spare_name = os.path.join(folder, f".boruvka-{secrets.token_hex(8)}.tmp")
    unnamed = _open_unnamed(folder)
    file = unnamed or open(spare_name, "xb")  # noqa: SIM115  closed below
    try:
        with file:
            _take_permissions(file, target)
            yield file
            file.flush()
            os.fsync(file.fileno())
            if unnamed is None or not _link(unnamed, target):
                if unnamed is not None:
                    _link(unnamed, spare_name)
                os.replace(spare_name, target)
    finally:
        with contextlib.suppress(OSError):
            os.unlink(spare_name)
    with contextlib.suppress(OSError):  # not every system opens folders
        opened_folder = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened_folder)
        finally:
            os.close(opened_folder)


def _take_permissions(file: BinaryIO, target: str) -> None:
    """Give a file owner and permissions of the target before it has any content."""
    with contextlib.suppress(FileNotFoundError, AttributeError):  # a new file, or no such functions
        before = os.stat(target)
        with contextlib.suppress(PermissionError):
            os.fchown(file.fileno(), before.st_uid, before.st_gid)
        os.fchmod(file.fileno(), stat.S_IMODE(before.st_mode))


def _open_unnamed(folder: str) -> BinaryIO | None:
    """Open a new file without a name in a folder; None where the system has no such files."""
    with contextlib.suppress(AttributeError, OSError):
        if os.path.isdir(_OPEN_FILES):
            return open(os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o666), "wb")
    return None


def _link(unnamed: BinaryIO, name: str) -> bool:
    """Give a file without a name this name; return False where there is such a file."""
    number = unnamed.fileno()
    with contextlib.suppress(FileExistsError):
        # The path is absolute, so the folder is not used; but given one, Python calls linkat, which follows
        # links.
        os.link(f"{_OPEN_FILES}/{number}", name, src_dir_fd=number)
        return True
    return False


@contextlib.contextmanager
def _writing_to_stream(stream: Any) -> Iterator[BinaryIO]:
    """Open a temporary file, which is copied to a file object at the end."""
    import shutil
    import tempfile

    check_binary(stream, not isinstance(stream, io.TextIOBase))
    with tempfile.TemporaryFile() as file:
        yield file
        file.seek(0)
        shutil.copyfileobj(file, stream)
        stream.flush()


def check_binary(stream: Any, is_binary: bool) -> None:
    """Raise an `OptionError` unless a file object is binary."""
    if not is_binary:
        raise OptionError(
            f"{file_name(stream)}: expected a binary file, such as sys.stdin.buffer or io.BytesIO, not text"
        )


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
    with file_errors(name):
        target = _target(name)
        if _DESCRIPTOR.fullmatch(name) or _is_pipe_or_device(target):
            return
        _check_replaceable(target)
        tempfile.TemporaryFile(dir=os.path.dirname(target)).close()


def _target(name: str) -> str:
    """Return the file to which a name leads."""
    if name.endswith(os.sep):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    return os.path.realpath(name)


def _check_replaceable(target: str) -> None:
    """Raise an error of the operating system where the target is a folder, or a file that is read-only."""
    if os.path.isdir(target):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if os.path.exists(target) and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def _open_directly(name: str, target: str) -> BinaryIO | None:
    """Open a pipe, a device or a descriptor; None for files and folders."""
    if match := _DESCRIPTOR.fullmatch(name):
        number = int(match[2]) if match[2] else {"out": 1, "err": 2}[match[1]]
        try:
            return open(os.dup(number), "wb")
        except OverflowError:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF)) from None
    return open(target, "wb") if _is_pipe_or_device(target) else None


def _is_pipe_or_device(path: str) -> bool:
    return os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)


def _compressor(file: BinaryIO, path: str) -> Any:
    """Return a stream that compresses into a file, as the ending of the path says."""
    match compression_of_name(path):
        case "gzip":
            import gzip

            # Level 4 takes a third of the time of level 6, for 2 % more bytes of text.
            return gzip.GzipFile("", "wb", compresslevel=4, fileobj=file, mtime=0)
        case "bzip2":
            import bz2

            return bz2.BZ2File(file, "wb")
        case "xz":
            import lzma

            return lzma.LZMAFile(file, "wb")
        case "zstd":
            return zstandard_data.compressing(file)
    return contextlib.nullcontext(file)


@contextlib.contextmanager
def file_errors(path: str) -> Iterator[None]:
    """Turn errors of the operating system into `FileError`, which names the file."""
    try:
        yield
    except FileError:
        raise
    except OSError as error:
        close = ""
        if isinstance(error, FileNotFoundError):
            folder, name = os.path.split(path)
            with contextlib.suppress(OSError):
                close = did_you_mean(name, sorted(os.listdir(folder or "."))[:1000])  # more take long
        raise FileError(f"{path}: {error.strerror or error}{close}") from error
