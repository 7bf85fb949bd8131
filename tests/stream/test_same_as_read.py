"""A stream takes what `boruvka.read` takes, with the same result, or says what to do instead."""

import bz2
import gzip
import io
import lzma
import os
import random

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import boruvka
from boruvka.errors import BoruvkaError, FormatError, GraphTypeError
from boruvka.stream import minimum_spanning_forest, verify
from boruvka.stream.remote.reading import ColumnNames, Digest, read_edges
from tests.formats.helpers import ENDINGS, WRITTEN, compress_by_zstandard
from tests.stream.helpers import assert_equal, random_graph

COMPRESSIONS = {
    "": lambda content: content,
    ".gz": gzip.compress,
    ".bz2": bz2.compress,
    ".xz": lzma.compress,
    ".zst": compress_by_zstandard,
}
NAMES = ["a", "b", " a", "b ", "\tc", '"a"', '"b"', '" a"', '"x,y"', '"d ""e"""', '"p\nq"', "x y", "é", "07"]
NAMES += ["7", "-3", "1.5", " 4", "", ' "q"', "#h", '"#i"', "\0", 'a"b']
WEIGHTS = ["1", "2", "3", "-4", "5", "1.5", "1e3", "9007199254740993", "18446744073709551615", "-1"]
ODD_WEIGHTS = [*WEIGHTS, "nan", "inf", "x", "", " 6", "0x1", "1_0", "7 "]
HEADERS = [["u", "v", "w"], ["source", "target", "weight"], ['"u"', '"v"', '"w"'], ["w", "u", "v"]]
COMMENTS = ["# boruvka n=12", "# boruvka names=integers", "# boruvka names=strings", '# "quote', "% x", ""]
OPTIONS = [
    {},
    {},
    {},
    {"names": True},
    {"names": False},
    {"n": 30},
    {"one_based": True},
    {"unweighted": True},
]


def random_table(chance):
    """Write a random table, which may be malformed."""
    separator = chance.choice([",", ",", ",", ";", "\t", " "])
    names = [str(chance.randint(0, 9)) for _ in range(chance.randint(1, 6))]
    if chance.random() < 0.6:
        names = chance.sample(NAMES, len(names))
    weights = chance.sample(ODD_WEIGHTS if chance.random() < 0.1 else WEIGHTS, 3)
    lines = [chance.choice(COMMENTS)] if chance.random() < 0.15 else []
    lines += [separator.join(chance.choice(HEADERS[:3]))] if chance.random() < 0.7 else []
    for _ in range(chance.randint(0, 14)):
        if chance.random() < 0.04:
            lines.append(chance.choice([*COMMENTS, "   "]))
        row = [chance.choice(names), chance.choice(names), chance.choice(weights)]
        lines.append(separator.join(row + ["9"] * (chance.random() < 0.005)))
    newline = chance.choice(["\n", "\n", "\n", "\r\n"])
    content = (newline.join(lines) + chance.choice(["\n", "", "\n\n"])).encode()
    if chance.random() < 0.03:
        content = b"\xef\xbb\xbf" + content
    if content and chance.random() < 0.05:
        i = chance.randrange(len(content))
        content = content[:i] + bytes([chance.randrange(256)]) + content[i + 1 :]
    return content


def is_utf_8(content):
    try:
        return content.decode() is not None
    except UnicodeDecodeError:
        return False


def forest_or_error(find):
    try:
        return find()
    except BoruvkaError as error:
        return error


def check_tables(folder, seeds):
    """Compare the results of random tables; each is also written as a file object."""
    same = 0
    for seed in seeds:
        chance = random.Random(seed)
        content, how = random_table(chance), chance.choice(OPTIONS)
        if not is_utf_8(content):  # which is read as Windows-1252, and not streamed
            continue
        format, packed = chance.choice(["csv", "tsv", "edges"]), chance.random() < 0.3
        path = folder / f"{seed}.{format}{'.gz' if packed else ''}"
        path.write_bytes(gzip.compress(content) if packed else content)
        expected = forest_or_error(
            lambda path=path, how=how: boruvka.minimum_spanning_forest(boruvka.read(path, **how))
        )
        found = forest_or_error(lambda path=path, how=how: minimum_spanning_forest(path, threads=2, **how))
        of_object = forest_or_error(
            lambda content=content, format=format, how=how: minimum_spanning_forest(
                io.BytesIO(content), format=format, threads=2, **how
            )
        )
        if isinstance(expected, Exception):
            # No matrix is streamed: the format of an object, and a compressed file, are edges.
            asks = "three rows of three numbers" in str(expected)
            assert (asks and packed) or isinstance(found, Exception), (seed, content)
            assert asks or isinstance(of_object, Exception), (seed, content)
            continue
        assert not isinstance(found, Exception), (seed, content)
        assert_same_forest(found, expected)
        assert verify(path, found, **how), (seed, content)
        if isinstance(of_object, Exception):
            assert not content or "write it to a file" in str(of_object), (seed, content)
        else:
            assert_same_forest(of_object, expected)
        same += 1
    return same


def assert_same_forest(found, expected):
    assert_equal(found, expected)
    names, others = found.graph.names, expected.graph.names
    assert (names is None) == (others is None)
    assert names is None or (names.dtype, names.tolist()) == (others.dtype, others.tolist())


@pytest.fixture
def tiny_pieces(tiny_limits, monkeypatch):
    monkeypatch.setattr("boruvka.stream.sources.files.BATCH_BYTES", 48)
    monkeypatch.setattr("boruvka.stream.numbering.BATCH_NAMES", 3)


@pytest.mark.long
@pytest.mark.filterwarnings("ignore:vertex 0 has no edge:boruvka.errors.GraphWarning")
@pytest.mark.needs("polars")
def test_tables(tmp_path, tiny_pieces):
    assert check_tables(tmp_path, range(200)) > 40


@pytest.mark.filterwarnings("ignore:vertex 0 has no edge:boruvka.errors.GraphWarning")
@pytest.mark.long
def test_many_tables(tmp_path, tiny_pieces):
    assert check_tables(tmp_path, range(1000, 1600)) > 120


@pytest.mark.parametrize("ending", ["", *ENDINGS])
@pytest.mark.parametrize("format", [chosen.name for chosen in WRITTEN])
def test_formats(tmp_path, tiny_limits, format, ending):
    """Every format is streamed, or the error says how to convert the file."""
    graph = random_graph(n=9, m=30)
    if format in ("metis", "gbbs", "matrix"):
        graph = boruvka.Graph(4, [0, 1, 2], [1, 2, 3], [3, 1, 2])
    content = io.BytesIO()
    boruvka.write(graph, content, format=format)
    path = tmp_path / f"graph.x{ending}"
    path.write_bytes(COMPRESSIONS[ending](content.getvalue()))
    expected = boruvka.minimum_spanning_forest(boruvka.read(path, format=format))
    for source in path, io.BytesIO(path.read_bytes()):
        found = forest_or_error(lambda source=source: minimum_spanning_forest(source, format=format))
        if isinstance(found, FormatError):
            assert format not in ("csv", "tsv", "edges", "dimacs", "parquet"), found
            assert "convert it first, as by: boruvka convert" in str(found)
        else:
            assert_same_forest(found, expected)


@pytest.mark.parametrize("names", [False, True])
@pytest.mark.parametrize("ending", ["", *ENDINGS])
def test_compressed_parquet(tmp_path, tiny_limits, monkeypatch, ending, names):
    """Also with a checkpoint, and where the size of the file decides whether it is streamed."""
    pl = pytest.importorskip("polars")
    ends = np.arange(20)
    rows = pl.DataFrame({"u": ends, "v": (ends * 7 + 1) % 13, "w": ends % 5})
    if names:
        rows = rows.with_columns(pl.col("u", "v").cast(pl.String) + " is a name")
    content = io.BytesIO()
    rows.write_parquet(content, row_group_size=4)
    path = tmp_path / f"edges.parquet{ending}"
    path.write_bytes(COMPRESSIONS[ending](content.getvalue()))
    expected = boruvka.minimum_spanning_forest(boruvka.read(path))
    assert_same_forest(minimum_spanning_forest(path), expected)
    assert_same_forest(minimum_spanning_forest(path, checkpoint=tmp_path / "state"), expected)
    assert_same_forest(minimum_spanning_forest(path, checkpoint=tmp_path / "state"), expected)
    os.utime(path, (1, 1))
    with pytest.raises(BoruvkaError, match="the input was changed since"):
        minimum_spanning_forest(path, checkpoint=tmp_path / "state")
    assert verify(path, expected)
    monkeypatch.setattr("boruvka.stream.memory.available_memory", lambda: 64)
    from boruvka.stream.memory import is_larger_than_memory

    assert is_larger_than_memory(path, None)


def test_names_in_npz_are_to_be_converted(tmp_path):
    path = tmp_path / "named.npz"
    boruvka.write(boruvka.Graph.from_edges(["a"], ["b"], [1]), path)
    with pytest.raises(FormatError, match=rf"convert it first, as by: boruvka convert {path} edges\.parquet"):
        minimum_spanning_forest(path)


class Mine(Exception):
    """An error of a user's own."""


@pytest.mark.parametrize("error", [Mine("x"), KeyError("x"), boruvka.GraphError("mine"), OSError(5, "x")])
@pytest.mark.parametrize("after", [0, 2])
def test_errors_of_an_iterator_pass_unchanged(no_threads_left, error, after):
    def batches():
        yield from [([0, 1], [1, 2], [3, 4])] * after
        raise error

    with pytest.raises(type(error)) as raised:
        minimum_spanning_forest(batches())
    assert raised.value is error


def test_errors_of_a_file_object_pass_unchanged():
    class Broken(io.BytesIO):
        def read(self, *size):
            raise Mine("x")

    for format in "csv", "parquet":
        with pytest.raises(Mine):
            minimum_spanning_forest(Broken(b"u,v,w\n"), format=format)


def test_strings_that_are_no_utf8(tmp_path):
    """In Parquet and in tables of Arrow, of a stream and of workers."""
    table = pa.table({"u": ["aaaa", "bbbb"], "v": ["bbbb", "cccc"], "w": [1, 2]})
    content = io.BytesIO()
    pq.write_table(table, content, compression="none", use_dictionary=False, write_statistics=False)
    path = tmp_path / "edges.parquet"
    path.write_bytes(content.getvalue().replace(b"aaaa", b"a\xff\xffa"))
    damaged = pa.array([b"a\xff", b"b"], pa.binary()).view(pa.string())
    with pytest.raises(FormatError, match="the column 'u' is damaged"):
        minimum_spanning_forest(path)
    with pytest.raises(GraphTypeError, match=r"u cannot be read as a column: .*Invalid UTF8"):
        minimum_spanning_forest([table.set_column(0, "u", damaged)])
    batch = table.set_column(0, "u", damaged).to_batches()[0]
    edges = read_edges(0, lambda _: [("here", batch)], ColumnNames("u", "v", "w"), Digest(True))
    with pytest.raises(FormatError, match="the column 'u' is damaged"):
        next(edges)


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "gr", "parquet"])
@pytest.mark.parametrize("names", [False, True])
def test_damaged_files(tmp_path, ending, names):
    """Whatever the bytes are, an error is one of ours."""
    pl = pytest.importorskip("polars")
    if names and ending == "gr":
        pytest.skip("DIMACS holds no names")
    ends = np.arange(40)
    rows = pl.DataFrame({"u": ends, "v": (ends * 7 + 1) % 13, "w": ends % 5})
    if names:
        rows = rows.with_columns(pl.col("u", "v").cast(pl.String) + " is a name")
    path = tmp_path / f"edges.{ending}"
    boruvka.write(boruvka.Graph.from_edges(*(rows[end].to_numpy() for end in "uvw")), path)
    content, refused = path.read_bytes(), 0
    for seed in range(60):
        chance, damaged = random.Random(seed), bytearray(content)
        for _ in range(chance.randint(1, 4)):
            i = chance.randrange(len(damaged))
            if chance.random() < 0.8:
                damaged[i] = chance.randrange(256)
            else:
                del damaged[i : i + chance.randint(1, 9)]
        path.write_bytes(damaged)
        try:
            minimum_spanning_forest(path, memory="8G", threads=1)
        except BoruvkaError:
            refused += 1
    assert refused > 10
