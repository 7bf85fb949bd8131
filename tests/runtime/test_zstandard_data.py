import io
import sys

import pytest

from boruvka.runtime import zstandard_data

TEXT = b"0 1 5\n" * 1000


@pytest.mark.parametrize("library", ["compression.zstd", "zstandard"])
def test_each_library_compresses_decompresses_and_tells_the_size(library, monkeypatch):
    pytest.importorskip(library)
    if library == "zstandard":
        monkeypatch.setitem(sys.modules, "compression.zstd", None)
    else:
        monkeypatch.setitem(sys.modules, "zstandard", None)
    file = io.BytesIO()
    with zstandard_data.compressing(file) as stream:
        stream.write(TEXT[:100])
        stream.write(TEXT[100:])
    data = file.getvalue()
    assert data.startswith(b"\x28\xb5\x2f\xfd")
    assert data[4] & 4  # a checksum
    begin, error = zstandard_data.decompressor()
    frame = begin()
    assert frame.decompress(data + b"rest") == TEXT
    assert (frame.eof, frame.unused_data) == (True, b"rest")
    with pytest.raises(error):
        begin().decompress(TEXT)
    sized = b"\x28\xb5\x2f\xfd\x60\x70\x16"  # one segment of 256 + 0x1670 bytes
    assert zstandard_data.stated_size(sized + bytes(20)) == len(TEXT)
    assert zstandard_data.stated_size(data) <= 0
    assert zstandard_data.stated_size(TEXT) == 0
