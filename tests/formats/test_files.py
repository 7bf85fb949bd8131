"""Files are opened, decompressed and replaced as a whole, or the error names them."""

import contextlib
import gc
import io
import os
import stat
import sys
import zipfile
from threading import Thread

import numpy as np
import pytest

from boruvka import Graph, stream
from boruvka.errors import FileError, FormatError, MissingExtraError, OptionError
from boruvka.formats import FORMATS, check_output, files, read, read_forest, write
from boruvka.formats.text import dimacs
from tests.formats.helpers import COMPRESS, COMPRESSED_FORMATS, ENDINGS, NAMES_OF_COMPRESSIONS, forest_of

GRAPH = Graph(3, [0, 1], [1, 2], [5, 6])
TEXT = b"p sp 3 2\na 1 2 5\na 2 3 6\n"


@pytest.mark.parametrize("name", [f"a{ending}" for f in FORMATS for ending in f.endings] + ["a.gr.gz"])
def test_files_that_cannot_be_read(tmp_path, name):
    for path in tmp_path / name, os.fsencode(tmp_path / name):
        with pytest.raises(FileError, match=f"{name}: No such file"):
            read(path)
    (tmp_path / f"b{name}").touch()
    with pytest.raises(FileError, match=f"{name}: No such file or directory: did you mean b{name}\\?$"):
        read(tmp_path / name)
    (tmp_path / name).mkdir()
    for use in read, lambda path: write(GRAPH, path):
        with pytest.raises(FileError, match=f"{name}: is a directory"):
            use(tmp_path / name)


@pytest.mark.parametrize("ending", ENDINGS)
def test_damaged_compression(tmp_path, ending):
    path, data, name = tmp_path / f"a.gr{ending}", COMPRESS[ending](TEXT), NAMES_OF_COMPRESSIONS[ending]
    middle = len(data) // 2
    for content, message in (
        (data[:-3], f"the {name} data is cut off"),
        (data + data[:-3], f"the {name} data is cut off"),
        (data[:middle], f"the {name} data is cut off"),
        (data + b"x" * 30, f"the {name} data is damaged"),
        (TEXT, f"the {name} data is damaged: the file does not begin as {name} data"),
        (b"", "the file is empty"),
        (COMPRESS[ending](b""), "the file is empty"),
    ):
        path.write_bytes(content)
        with pytest.raises(FormatError, match=f"a.gr{ending}: {message}"):
            read(path)
    for options in {}, {"columns": ("u", "v", "w")}:
        with pytest.raises(FormatError, match="the file is empty"):
            stream.minimum_spanning_forest(path, format="csv", **options)


@pytest.mark.parametrize("library", ["zlib", "isal"])
@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("block", [1, 7, 1 << 16])
def test_several_members_in_blocks_of_any_size(tmp_path, monkeypatch, ending, library, block):
    """There may be zeros between members; none is cut off, and a bit that turns in the last is noticed."""
    if library == "isal":
        pytest.importorskip("isal")
    else:
        monkeypatch.setitem(sys.modules, "isal", None)
    monkeypatch.setattr(files, "_INFLATE_BYTES", block)
    path, name = tmp_path / f"a.gr{ending}", NAMES_OF_COMPRESSIONS[ending]
    first, second = COMPRESS[ending](TEXT), COMPRESS[ending](b"c end\n" * 40)
    for data in first + second, first + bytes(8) + second + bytes(4):
        path.write_bytes(data)
        assert files.InputFile(path).content == TEXT + b"c end\n" * 40
    turned = second[:-6] + bytes([second[-6] ^ 1]) + second[-5:]
    for damaged, message in (second[:-1], "cut off"), (turned, "(damaged|cut off)"):
        path.write_bytes(first + damaged)
        with pytest.raises(FormatError, match=f"the {name} data is {message}"):
            assert files.InputFile(path).content


def test_a_zip_file_with_the_name_of_a_text(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.csv", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("b.csv", "u,v,w\n" + "0,1,5\n" * 99)
    for load in read, stream.minimum_spanning_forest:
        with pytest.raises(
            FormatError, match="a workbook, save it as CSV; or a zip file, unpack it: unzip -p "
        ):
            load(tmp_path / "a.csv")


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("name", ["a.csv", "a.npz"])
def test_compressed_data_that_no_ending_announces(tmp_path, ending, name):
    path = tmp_path / name
    write(GRAPH, path)
    path.write_bytes(COMPRESS[ending](path.read_bytes()))
    assert read(path).w.tolist() == [5, 6]
    path.rename(tmp_path / f"{name}.gz")
    assert read(tmp_path / f"{name}.gz").w.tolist() == [5, 6]


@pytest.mark.parametrize(("chosen", "compression"), COMPRESSED_FORMATS)
def test_file_objects(chosen, compression):
    name, compress = chosen.name, COMPRESS.get(compression, bytes)
    file = io.BytesIO()
    write(GRAPH, file, format=name)
    again = read(io.BytesIO(compress(file.getvalue())), format=name)
    assert sorted(set(again.w.tolist())) == [5, 6]
    forest = forest_of(GRAPH, [1])
    file = io.BytesIO()
    write(forest, file, format=name)
    assert read_forest(io.BytesIO(compress(file.getvalue())), GRAPH, format=name).tolist() == [1]


def test_file_objects_that_do_not_fit(tmp_path):
    for use in lambda file: write(GRAPH, file), check_output:
        with pytest.raises(
            OptionError, match="<BytesIO>: no ending shows the format: pass it, as format='csv'"
        ):
            use(io.BytesIO(TEXT))
    with pytest.raises(
        OptionError, match=r"(?!.*(shapefile|osm)).*there are dimacs.*, gml, geopackage, geojson$"
    ):
        write(GRAPH, io.BytesIO())
    for use in read, lambda file, format: write(GRAPH, file, format=format):
        with pytest.raises(OptionError, match="<StringIO>: expected a binary file"):
            use(io.StringIO("0,1,2"), format="csv")
    with pytest.raises(FormatError, match="<BytesIO>:1: expected 'p sp n m'"):
        read(io.BytesIO(b"p sp 3\n"), format="dimacs")
    with pytest.raises(FormatError, match="<BytesIO>: the file is empty"):
        read(io.BytesIO(), format="dimacs")
    file = io.BytesIO()
    with pytest.raises(FormatError, match="<BytesIO>: METIS weights"):
        write(Graph(2, [0], [1], [0.5]), file, format="metis")
    assert file.getvalue() == b""
    with open(tmp_path / "a.gr", "wb") as file:
        write(GRAPH, file, format="dimacs")
    with open(tmp_path / "a.gr", "rb") as file:
        assert read(file, format="dimacs").w.tolist() == [5, 6]


def test_permissions_are_those_of_the_user_or_of_the_file_before(tmp_path):
    mask = os.umask(0o027)
    try:
        write(GRAPH, tmp_path / "a.gr")
    finally:
        os.umask(mask)
    for mode in 0o640, 0o600:
        assert stat.S_IMODE((tmp_path / "a.gr").stat().st_mode) == mode
        (tmp_path / "a.gr").chmod(0o600)
        write(GRAPH, tmp_path / "a.gr")


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_same_bytes_every_time(tmp_path, ending):
    path = tmp_path / f"a.csv{ending}"
    write(GRAPH, path)
    first = path.read_bytes()
    write(GRAPH, path)
    assert path.read_bytes() == first


def test_zstandard_data_without_its_library(tmp_path, monkeypatch):
    for library in "compression.zstd", "zstandard":
        monkeypatch.setitem(sys.modules, library, None)
    path = tmp_path / "a.gr.zst"
    with pytest.raises(MissingExtraError, match=r"pip install \"boruvka\[zstd\]\""):
        write(GRAPH, path)
    assert list(tmp_path.iterdir()) == []
    path.write_bytes(b"\x28\xb5\x2f\xfd" + TEXT)
    for file in path, io.BytesIO(path.read_bytes()):
        with pytest.raises(MissingExtraError, match=r"pip install \"boruvka\[zstd\]\""):
            read(file, format="dimacs")


def test_a_pipe_is_read(tmp_path):
    path = tmp_path / "pipe.gr"
    os.mkfifo(path)
    writer = Thread(target=path.write_bytes, args=(TEXT,))
    writer.start()
    graph = read(path)
    writer.join()
    assert np.array_equal(graph.w, [5, 6])


@pytest.mark.parametrize("name", ["a\0.gr", "\ud800.gr", b"a\0.gr"])
def test_a_name_that_no_file_can_have(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for use in read, lambda name: write(GRAPH, name), check_output:
        with pytest.raises(FileError, match=r"\.gr': no file can have this name"):
            use(name)


@pytest.mark.parametrize(
    ("raised", "message"),
    [
        (KeyError("x"), r"cannot be read as dimacs: KeyError\('x'\)"),
        (NotImplementedError("zip file version 25.5"), "cannot be read as dimacs: zip file version 25.5"),
        (UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid"), "cannot be read as dimacs: 'utf-8' codec"),
        (RecursionError(), "cannot be read as dimacs: RecursionError"),
        (ValueError("\ud800\n" + "x" * 10**6), r"cannot be read as dimacs: \\ud800$"),
        (MemoryError(), "there is not enough memory to read the file"),
        ("a panic of polars", "cannot be read as dimacs: range end"),
        (OSError(5, "Input/output error"), "Input/output error"),
    ],
)
def test_whatever_is_raised_becomes_an_error_of_the_file(tmp_path, monkeypatch, raised, message):
    if raised == "a panic of polars":
        raised = pytest.importorskip("polars").exceptions.PanicException("range end")

    def fail(*_, **how):
        raise raised

    (tmp_path / "a.gr").write_bytes(TEXT)
    monkeypatch.setattr(dimacs, "read_edge_lines", fail)
    with pytest.raises((FormatError, FileError), match=rf"^{tmp_path}/a\.gr: {message}"):
        read(tmp_path / "a.gr")


def test_a_failed_read_leaves_no_file_open(tmp_path):
    folder = "/proc/self/fd"
    osm = b"\0\0\0\x0e\x0a\x07OSMData\x18\x7c" + bytes(9)
    if not os.path.isdir(folder):
        pytest.skip("open files cannot be listed here")
    contents = b"", b"x" * 40, b"PAR1" * 9, b"PK\3\4" + bytes(90), osm
    counts = []
    for _ in range(2):
        for ending in (ending for chosen in FORMATS for ending in chosen.endings):
            path = tmp_path / f"a{ending}"
            for content in contents:
                path.write_bytes(content)
                with contextlib.suppress(FormatError):
                    read(path)
        gc.collect()
        counts.append(len(os.listdir(folder)))
    assert counts[0] == counts[1]
