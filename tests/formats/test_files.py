"""Files are opened, decompressed and replaced as a whole, or the error names them."""

import gzip
import os
import stat
import sys
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
import zstandard

from boruvka import Graph
from boruvka.errors import FileError, FormatError
from boruvka.formats import FORMATS, check_output, files, read, write
from boruvka.formats.files import writing

GRAPH = Graph(3, [0, 1], [1, 2], [5, 6])
TEXT = b"p sp 3 2\na 1 2 5\na 2 3 6\n"


@pytest.mark.parametrize("name", [f"a{ending}" for f in FORMATS for ending in f.endings] + ["a.gr.gz"])
def test_a_missing_file(tmp_path, name):
    with pytest.raises(FileError, match=f"{name}: No such file"):
        read(tmp_path / name)


def test_a_directory(tmp_path):
    (tmp_path / "a.gr").mkdir()
    with pytest.raises(FileError, match=r"a\.gr: is a directory"):
        read(tmp_path / "a.gr")
    with pytest.raises(FileError, match=r"a\.gr: is a directory"):
        write(GRAPH, tmp_path / "a.gr")


def test_no_permission(tmp_path, unprivileged):
    (tmp_path / "a.gr").write_bytes(TEXT)
    (tmp_path / "a.gr").chmod(0)
    with pytest.raises(FileError, match=r"a\.gr: Permission denied"):
        read(tmp_path / "a.gr")
    tmp_path.chmod(0o500)
    with pytest.raises(FileError, match=r"b\.gr: Permission denied"):
        write(GRAPH, tmp_path / "b.gr")


def test_a_missing_folder(tmp_path):
    with pytest.raises(FileError, match=r"a\.gr: No such file"):
        write(GRAPH, tmp_path / "missing" / "a.gr")


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.gr.gz", gzip.compress(TEXT, mtime=0)[:-9], "the gzip data is cut off"),
        ("a.gr.gz", TEXT, "the gzip data is damaged"),
        ("a.gr.gz", gzip.compress(TEXT, mtime=0)[:-8] + b"12345678", "the gzip data is damaged"),
        ("a.gr.gz", b"", "the file is empty"),
        ("a.gr.zst", zstandard.compress(TEXT)[:-3], "the zstd data is cut off"),
        ("a.gr.zst", TEXT, "the zstd data is damaged"),
        ("a.gr.zst", b"", "the file is empty"),
    ],
)
def test_damaged_compression(tmp_path, name, data, message):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(FormatError, match=f"{name}: {message}"):
        read(tmp_path / name)


@pytest.mark.parametrize("library", ["zlib", "isal"])
def test_gzip_data_of_several_members(tmp_path, monkeypatch, library):
    if library == "isal":
        pytest.importorskip("isal")
    else:
        monkeypatch.setitem(sys.modules, "isal", None)
    monkeypatch.setattr(files, "_INFLATE_BYTES", 7)
    path, first, second = tmp_path / "a.gr.gz", gzip.compress(TEXT), gzip.compress(b"c end\n")
    for data in (first, first + second, first + bytes(20) + second + bytes(3)):
        path.write_bytes(data)
        assert files.Source(path).content == gzip.decompress(data)
    for data in (first[:-1], first[:3], first + second[:-1], first + second[:20]):
        path.write_bytes(data)
        with pytest.raises(FormatError, match="the gzip data is cut off"):
            assert files.Source(path).content
    for data in (first + 30 * b"x", first[:-6] + bytes([first[-6] ^ 1]) + first[-5:]):
        path.write_bytes(data)
        with pytest.raises(FormatError, match="the gzip data is damaged"):
            assert files.Source(path).content


def test_a_bit_that_turns_is_noticed(tmp_path):
    for name in "a.npz.gz", "a.npz.zst":
        write(Graph(2, [0], [1], [7]), tmp_path / name)
        data = bytearray((tmp_path / name).read_bytes())
        data[-1 if name.endswith("zst") else -5] ^= 1  # of the checksum, as good as any
        (tmp_path / name).write_bytes(data)
        with pytest.raises(FormatError, match="data is damaged"):
            read(tmp_path / name)


@pytest.mark.parametrize("ending", [".gz", ".zst"])
def test_compressed_in_several_pieces(tmp_path, ending):
    compress = gzip.compress if ending == ".gz" else zstandard.compress
    (tmp_path / f"a.gr{ending}").write_bytes(compress(TEXT[:12]) + compress(TEXT[12:]))
    assert read(tmp_path / f"a.gr{ending}").m == 2


def test_what_was_there_stays_when_writing_fails(tmp_path):
    path = tmp_path / "a.graph"
    path.write_text("before")
    with pytest.raises(FormatError):
        write(Graph(2, [0], [1], [0.5]), path)
    assert path.read_text() == "before"
    assert list(tmp_path.iterdir()) == [path]


def test_the_temporary_file_is_removed_on_an_interrupt(tmp_path):
    def interrupted():
        with writing(tmp_path / "a") as stream:
            stream.write(b"x")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("unnamed", [True, False])
def test_nothing_stays_of_a_process_that_is_killed(tmp_path, monkeypatch, unnamed):
    if not unnamed:
        monkeypatch.setattr(files, "_OPEN_FILES", "/nowhere")
    elif not os.path.isdir("/proc/self/fd"):
        pytest.skip("there are no files without a name here")
    with writing(tmp_path / "a") as stream:
        stream.write(b"x")
        assert len(list(tmp_path.iterdir())) == (0 if unnamed else 1)
    assert (tmp_path / "a").read_bytes() == b"x"
    assert len(list(tmp_path.iterdir())) == 1


def test_permissions_are_those_of_the_file_before(tmp_path):
    mask = os.umask(0o027)
    try:
        write(GRAPH, tmp_path / "a.gr")
    finally:
        os.umask(mask)
    assert stat.S_IMODE((tmp_path / "a.gr").stat().st_mode) == 0o640
    (tmp_path / "a.gr").chmod(0o600)
    write(GRAPH, tmp_path / "a.gr")
    assert stat.S_IMODE((tmp_path / "a.gr").stat().st_mode) == 0o600


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link.gr").symlink_to(tmp_path / "a.gr")
    write(GRAPH, tmp_path / "link.gr")
    assert (tmp_path / "link.gr").is_symlink()
    assert (tmp_path / "a.gr").read_bytes() == TEXT


def test_a_device_is_not_replaced():
    write(GRAPH, "/dev/null", format="dimacs")
    assert Path("/dev/null").is_char_device()


def test_the_same_bytes_every_time(tmp_path):
    for name in "a.csv.gz", "a.csv.zst":
        write(GRAPH, tmp_path / name)
        first = (tmp_path / name).read_bytes()
        write(GRAPH, tmp_path / name)
        assert (tmp_path / name).read_bytes() == first


def test_a_pipe_is_read(tmp_path):
    path = tmp_path / "pipe.gr"
    os.mkfifo(path)
    writer = Thread(target=path.write_bytes, args=(TEXT,))
    writer.start()
    graph = read(path)
    writer.join()
    assert np.array_equal(graph.w, [5, 6])


def test_a_name_of_bytes(tmp_path):
    name = os.fsencode(tmp_path / "a.gr.gz")
    write(GRAPH, name)
    assert read(name).w.tolist() == [5, 6]
    with pytest.raises(FileError, match=r"b\.gr: No such file"):
        read(os.fsencode(tmp_path / "b.gr"))


@pytest.mark.parametrize("name", ["a\0.gr", "\ud800.gr", b"a\0.gr"])
def test_a_name_that_no_file_can_have(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for use in read, lambda name: write(GRAPH, name), check_output:
        with pytest.raises(FileError, match=r"\.gr': no file can have this name"):
            use(name)
