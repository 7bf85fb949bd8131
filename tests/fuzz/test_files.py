"""Mutated files of every format: each is a graph or points, or an error of this package.

`tests.fuzz.file_worker` reads them in processes with limits on memory and on the time of a file, so that an
abort or a hang is seen, with its seed.
"""

import io
import os
import re
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest

import boruvka
from boruvka import Graph
from boruvka.formats import FORMATS
from tests.formats.helpers import COMPRESS
from tests.formats.libraries.test_osm import write_osm
from tests.formats.libraries.test_vector_maps import save as save_lines

ROOT = Path(__file__).parents[2]
CASES = sorted((Path(__file__).parent / "cases").iterdir())
"""Files that were once neither read nor refused."""
SEEDS, MANY_SEEDS = 2_500, 60_000
"""Seeds of the default test, from 0, and those of each long test."""
NUMBERED = Graph(7, [0, 1, 2, 6, 3], [1, 2, 3, 2, 5], [5, 10**12, 2, 1, 7])
FRACTIONS = Graph(7, [0, 1, 2, 6], [1, 2, 3, 2], np.array([0.5, 1e300, -3, 2.25]))
NAMED = Graph.from_edges(["Ulm", "Bonn", "x,y", "é"], ["Bonn", "x,y", 'q"q', "Ulm"], [5, 2, 7, 1])
INTEGERS = Graph.from_edges([10**12, 5, 7], [5, 7, 10**12], [1.5, 2, 3], names=True)
TABLE = pa.table({"u": [0, 1, 2, 6] * 9, "v": [1, 2, 3, 2] * 9, "w": [0.5, 1.0, 3.0, 2.0] * 9})
NAMES = pa.table({"u": ["a", "b", "c"] * 9, "v": ["b", "c", "d"] * 9, "w": list(range(27))})
POINTS = "x,y,z\n1,2,3\n4,5.5,6\n-7,8,1e3\n"


def write_files(folder):
    """Write a few small valid files of every format into a folder."""
    for chosen in FORMATS:
        if chosen.codec.write is not None:
            graphs = {"integers": NUMBERED, "fractions": FRACTIONS}
            graphs |= {"names": NAMED, "numbers": INTEGERS} if chosen.codec.holds_names else {}
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


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("valid")
    write_files(folder)
    return folder


def start(files, first, last, folder):
    """Start a process that tries seeds from first up to last."""
    folder.mkdir(exist_ok=True)
    (folder / "state").write_bytes(struct.pack("<q", last))
    path = os.pathsep.join([str(ROOT / "src"), *filter(None, [os.environ.get("PYTHONPATH")])])
    with open(folder / "output", "w") as output:
        return subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.fuzz.file_worker",
                *map(str, (files, first, last, folder / "state")),
            ],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": path, "POLARS_MAX_THREADS": "2", "RUST_BACKTRACE": "0"},
            stdout=output,
            stderr=subprocess.STDOUT,
        )


def failures(files, ranges, folder):
    """Try ranges of seeds, each in a process of its own; return what is wrong, with the seed."""
    folders = [folder / f"worker-{first}" for first, _ in ranges]
    processes = [start(files, *ends, place) for ends, place in zip(ranges, folders, strict=True)]
    found = []
    for process, place in zip(processes, folders, strict=True):
        if code := process.wait():
            (seed,) = struct.unpack("<q", (place / "state").read_bytes())
            output = (place / "output").read_text()
            errors = re.findall(r"^seed .*?(?=^thread|^seed|\Z)", output, re.MULTILINE | re.DOTALL)
            found.append(f"exit code {code} at seed {seed}: {''.join(errors) or output[-2000:]}")
    return found


def test_cases_and_mutated_files(files, tmp_path):
    assert failures(files, [(-len(CASES), SEEDS)], tmp_path) == []


@pytest.mark.long
@pytest.mark.parametrize("part", range(4))
def test_many_mutated_files(files, tmp_path, part):
    first = SEEDS + part * MANY_SEEDS
    middle = first + MANY_SEEDS // 2
    assert failures(files, [(first, middle), (middle, first + MANY_SEEDS)], tmp_path) == []
