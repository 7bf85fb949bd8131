"""Valid files of every format for the fuzzing, and bombs: small files that ask for much memory or time."""

import bz2
import gzip
import io
import lzma
import zipfile
import zlib

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest

import boruvka
from boruvka import Graph
from boruvka.formats import FORMATS
from tests.formats.helpers import COMPRESS, WRITTEN
from tests.formats.libraries.test_osm import write_osm
from tests.formats.libraries.test_vector_maps import save as save_lines

pl = pytest.importorskip("polars")
zstandard = pytest.importorskip("zstandard")

NUMBERED = Graph(7, [0, 1, 2, 6, 3], [1, 2, 3, 2, 5], [5, 10**12, 2, 1, 7])
FRACTIONS = Graph(7, [0, 1, 2, 6], [1, 2, 3, 2], np.array([0.5, 1e300, -3, 2.25]))
NAMED = Graph.from_edges(["Ulm", "Bonn", "x,y", "é"], ["Bonn", "x,y", 'q"q', "Ulm"], [5, 2, 7, 1])
INTEGERS = Graph.from_edges([10**12, 5, 7], [5, 7, 10**12], [1.5, 2, 3], names=True)
TABLE = pa.table({"u": [0, 1, 2, 6] * 9, "v": [1, 2, 3, 2] * 9, "w": [0.5, 1.0, 3.0, 2.0] * 9})
NAMES = pa.table({"u": ["a", "b", "c"] * 9, "v": ["b", "c", "d"] * 9, "w": list(range(27))})
TSPLIB = "NAME: a\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: "
POINTS = "x,y,z\n1,2,3\n4,5.5,6\n-7,8,1e3\n"


def write_files(folder):
    """Write a few small valid files of every format into a folder."""
    for chosen in FORMATS:
        if chosen in WRITTEN:
            graphs = {"integers": NUMBERED, "fractions": FRACTIONS}
            graphs |= {"names": NAMED, "numbers": INTEGERS} if chosen.codec.holds.names else {}
            for name, graph in graphs.items():
                try:
                    boruvka.write(graph, folder / f"graph-{name}{chosen.endings[0]}")
                except boruvka.errors.FormatError:
                    continue
    for ending, compress in COMPRESS.items():
        for name in "graph-integers.gr", "graph-names.csv", "graph-fractions.npz":
            (folder / f"{name}{ending}").write_bytes(compress((folder / name).read_bytes()))
    write_frames(folder)
    np.savez_compressed(folder / "graph-packed.npz", n=7, u=NUMBERED.u, v=NUMBERED.v, w=NUMBERED.w)
    np.save(folder / "graph-matrix.npy", np.arange(16.0).reshape(4, 4))
    write_osm(folder / "graph-roads.osm.pbf")
    write_osm(folder / "graph-roads.osm")
    save_lines(folder / "graph-roads.geojson")
    save_lines(folder / "graph-roads.gpkg")
    save_lines(folder / "a.shp", kind="LineString")
    with zipfile.ZipFile(folder / "graph-roads.shp.zip", "w") as archive:
        for part in folder.glob("a.*"):
            archive.write(part, part.name)
            part.unlink()
    (folder / "graph-pattern.mtx").write_text(
        "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"
    )
    (folder / "graph-pajek.net").write_text(
        '*Vertices 3\n1 "a b" 0.5 0.5\n2 c\n*Arcs\n1 2 3.5 c Blue\n*Edgeslist\n1 2 3\n'
        "*Matrix\n0 1 2\n0 0 0\n0 0 0\n"
    )
    (folder / "graph-igraph.gml").write_text(
        'graph [ node [ id 0 name "a" ] node [ id 7 name "&#227;" ] edge [ source 0 target 7 weight 1e-05 ] ]'
    )
    (folder / "graph-places.tsp").write_text(
        TSPLIB + "EUC_2D\nNODE_COORD_SECTION\n1 0 0\n2 3 4.5\n3 1e1 1\nEOF\n"
    )
    (folder / "graph-triangle.tsp").write_text(
        TSPLIB + "EXPLICIT\nEDGE_WEIGHT_FORMAT: LOWER_DIAG_ROW\nEDGE_WEIGHT_SECTION\n0 5 0 2\n7 0\nEOF\n"
    )
    (folder / "graph-list.dl").write_text("DL n=3, format=edgelist1\nlabels:\na,b,c\ndata:\n1 2 5\n2 3 0.5\n")
    (folder / "graph-matrix.dl").write_text("dl n=2 labels embedded\ndata:\na b\na 0 1\nb 1 0\n")
    (folder / "graph-pipes.inp").write_text(
        "[PIPES]\n;id\n1 a b 5 ;\n2 b c 7.5\n[COORDINATES]\na 1 2\n[END]\n"
    )
    (folder / "graph-quoted.csv").write_text('u,v,w\n"a\nb","c",1\n"c","d ""e""",2.5\n d ,c,3\n')
    (folder / "graph-blanks.txt").write_text("# boruvka names=strings\n0 1  5\n\n1\t2 6\n")
    (folder / "points-a.csv").write_text(POINTS)
    (folder / "points-a.txt").write_text(POINTS.replace(",", " "))
    (folder / "points-a.npy").write_bytes(saved(np.save, np.arange(12.0).reshape(4, 3)))
    (folder / "points-a.npz").write_bytes(saved(np.savez, x=np.arange(4), y=np.arange(4.0)))
    pl.DataFrame({"p": [[1.0, 2.0], [3.0, 4.0]], "s": ["a", "b"]}).write_parquet(folder / "points-a.parquet")
    pl.DataFrame({"x": [1.0, 2.0], "y": [3.0, 4.0]}).write_ipc(folder / "points-a.arrow")


def saved(save, *arrays, **columns):
    file = io.BytesIO()
    save(file, *arrays, **columns)
    return file.getvalue()


def write_frames(folder):
    """Write Parquet and Arrow files with the compressions and encodings that there are."""
    write = pa.parquet.write_table
    for codec in "none", "snappy", "gzip", "zstd", "lz4", "brotli":
        write(TABLE, folder / f"graph-{codec}.parquet", compression=codec, data_page_version="2.0")
        write(NAMES, folder / f"graph-{codec}-names.parquet", compression=codec)
    encodings = {"u": "DELTA_BINARY_PACKED", "v": "PLAIN", "w": "BYTE_STREAM_SPLIT"}
    write(
        TABLE,
        folder / "graph-encoded.parquet",
        use_dictionary=False,
        column_encoding=encodings,
        row_group_size=9,
    )
    encodings = {"u": "DELTA_LENGTH_BYTE_ARRAY", "v": "DELTA_BYTE_ARRAY", "w": "PLAIN"}
    write(NAMES, folder / "graph-encoded-names.parquet", use_dictionary=False, column_encoding=encodings)
    for table, name in (TABLE, "a"), (NAMES, "names"):
        for codec in None, "lz4", "zstd":
            options = pa.ipc.IpcWriteOptions(compression=codec)
            for ending, new in (".arrow", pa.ipc.new_file), ("-stream.arrow", pa.ipc.new_stream):
                path = str(folder / f"graph-{codec}-{name}{ending}")
                with new(path, table.schema, options=options) as writer:
                    writer.write_table(table, 10)
    named = NAMES.set_column(0, "u", NAMES["u"].dictionary_encode())
    with (
        pa.OSFile(str(folder / "graph-dictionary.arrow"), "wb") as file,
        pa.ipc.new_file(file, named.schema) as writer,
    ):
        writer.write_table(named)


PIECE = b"0 1 2\n" * (1 << 21)
VALID = {
    "valid.csv": b"u,v,w\n0,1,2\n",
    "valid.el": b"0 1 2\n" * 300_000,
    "valid.gml": b"graph [ node [ id 0 ] ]",
}
"""Files that are read before memory is limited; polars hangs if it cannot start its threads after that."""


def npy(shape, data=b""):
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"
    return b"\x93NUMPY\1\0" + len(header).to_bytes(2, "little") + header.encode() + data


def npz(content, method=zipfile.ZIP_DEFLATED, size=None):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        archive.writestr("n.npy", content)
        for info in archive.infolist() if size else ():
            info.file_size = size  # in the directory at the end
    return file.getvalue()


def xz_of_large_dictionary():
    data = bytearray(lzma.compress(b"0 1 2\n"))
    begin, size = 12, (data[12] + 1) * 4
    assert data[begin + 2 : begin + 4] == b"\x21\x01"
    data[begin + 4] = 40  # 4 GB
    data[begin + size - 4 : begin + size] = zlib.crc32(data[begin : begin + size - 4]).to_bytes(4, "little")
    return bytes(data)


def xml(*parts):
    return b'<graphml xmlns="http://graphml.graphdrawing.org/xmlns">' + b"".join(parts)


BOMBS = {
    "members.el.gz": lambda: gzip.compress(PIECE) * 200,
    "members.el.bz2": lambda: bz2.compress(PIECE) * 70,
    "members.el.xz": lambda: lzma.compress(PIECE, preset=1) * 200,
    "frames.el.zst": lambda: zstandard.compress(PIECE) * 200,
    "one.el.gz": lambda: gzip.compress(bytes(1 << 30), 1),
    "one.npz.zst": lambda: zstandard.compress(bytes(1 << 30)),
    "lies.el.gz": lambda: gzip.compress(b"0 1 2\n" * (1 << 20))[:-4] + b"\xff" * 4,
    "dictionary.el.xz": xz_of_large_dictionary,
    "header.npy": lambda: npy((10**15, 3)),
    "negative.npy": lambda: npy((-1, 3), bytes(24)),
    "header.npz": lambda: npz(npy((10**15,))),
    "zeros.npz": lambda: npz(npy((1 << 27,), bytes(1 << 30))),
    "stated.npz": lambda: npz(npy((1 << 40,)), size=1 << 31),
    "digits.csv": lambda: b"0,1," + b"9" * 10**7,
    "line.csv": lambda: b"0,1,2" + b",2" * 10**4 + b"\n",
    "one-line.csv": lambda: b'"' + b"a" * 10**7,
    "quotes.csv": lambda: b"u,v,w\n" + b'"a\n' * 30_001,
    "nested.gml": lambda: b"graph [ node [ id 0 " + b"a [ " * 20_000,
    "nested.graphml": lambda: xml(b"<a>" * 200_000),
    "closed.graphml": lambda: xml(b"<a>" * 200_000, b"</a>" * 200_000, b"</graphml>"),
    "nested.geojson": lambda: b'{"type":"LineString","coordinates":' + b"[" * 200_000,
    "vertices.gr": lambda: b"p sp 281474976710656 1\na 1 2 3\n",
    "metis.graph": lambda: b"9223372036854775807 1\n2\n1\n",
    "places.tsp": lambda: TSPLIB.replace("3", "9" * 10).encode() + b"EUC_2D\nNODE_COORD_SECTION\n1 0 0\n",
    "matrix.dl": lambda: b"dl n=1000000000 data:\n0 1\n1 0\n",
    "edges.dl": lambda: b"dl n=1000000000 format=edgelist1 data:\n1 2 3\n",
    "matrix.adj": lambda: b"1000000000\n0 1\n1 0\n",
}
SLOW = [
    "digits.csv",
    "frames.el.zst",
    "line.csv",
    "members.el.bz2",
    "members.el.xz",
    "one.el.gz",
    "one.npz.zst",
    "zeros.npz",
]
