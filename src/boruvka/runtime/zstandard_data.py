"""Zstandard data, by the library of Python 3.14 or by the extra ``zstd``."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, BinaryIO

from boruvka.runtime.libraries import require


def _libraries() -> tuple[Any, Any]:
    """Return the module of Python, and the library zstandard if there is none; the other one is None."""
    try:
        return importlib.import_module("compression.zstd"), None
    except ImportError:
        return None, require("zstandard", "zstd")


def decompressor() -> tuple[Callable[[], Any], type[Exception]]:
    """Return a function that makes a decompressor for one frame, and the exception of its library."""
    standard, extra = _libraries()
    if standard:
        return standard.ZstdDecompressor, standard.ZstdError
    return lambda: extra.ZstdDecompressor().decompressobj(), extra.ZstdError


def compressing(file: BinaryIO) -> Any:
    """Return a stream that compresses into a file, which it leaves open."""
    standard, extra = _libraries()
    if standard:
        return standard.ZstdFile(file, "wb", options={standard.CompressionParameter.checksum_flag: True})
    return extra.ZstdCompressor(write_checksum=True).stream_writer(file, closefd=False)


def stated_size(begin: bytes) -> int:
    """Return the decompressed size that the header of a frame states; 0 or less if it does not."""
    standard, extra = _libraries()
    try:
        if standard:
            return standard.get_frame_info(begin).decompressed_size or 0
        return extra.frame_content_size(begin)
    except (standard or extra).ZstdError:
        return 0
