"""Small files that ask for much memory or time: each is refused, or read within limits."""

import bz2
import gzip
import io
import lzma
import os
import subprocess
import sys
import zipfile
import zlib
from pathlib import Path

import pytest
import zstandard

ROOT = Path(__file__).parents[2]
CODE = """
import faulthandler, os, resource, sys, warnings
from pathlib import Path
import boruvka
from boruvka.formats.points import read_points
warnings.simplefilter("ignore")
bombs = sorted(Path(sys.argv[1]).iterdir())
for path in bombs[0], *bombs:
    if path == bombs[0]:
        for valid in sorted(Path(sys.argv[2]).iterdir()):
            boruvka.read(valid)  # loads libraries and kernels
    size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize() + (700 << 20)
    resource.setrlimit(resource.RLIMIT_AS, (size, resource.RLIM_INFINITY))
    for read in boruvka.read, read_points:
        faulthandler.dump_traceback_later(60, exit=True)
        try:
            read(path)
        except boruvka.errors.BoruvkaError as error:
            pass
    print(path.name, flush=True)
"""
PIECE = b"0 1 2\n" * (1 << 21)
VALID = {"csv": b"u,v,w\n0,1,2\n", "el": b"0 1 2\n", "gml": b"graph [ node [ id 0 ] ]"}


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
    "matrix.adj": lambda: b"1000000000\n0 1\n1 0\n",
}


SLOW = "members.el.bz2", "members.el.xz", "one.el.gz", "one.npz.zst", "zeros.npz"


@pytest.mark.parametrize(
    "names",
    [sorted({*BOMBS} - {*SLOW}), *(pytest.param([name], marks=pytest.mark.long) for name in SLOW)],
    ids=lambda names: names[0] if len(names) == 1 else "small",
)
def test_files_that_expand(names, tmp_path):
    bombs, valid = tmp_path / "bombs", tmp_path / "valid"
    bombs.mkdir()
    valid.mkdir()
    for kind, content in VALID.items():
        (valid / f"valid.{kind}").write_bytes(content)
    for name in names:
        (bombs / name).write_bytes(BOMBS[name]())
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src"), "RUST_BACKTRACE": "0"}
    found = subprocess.run(
        [sys.executable, "-c", CODE, bombs, valid],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr[-2000:]
    assert sorted(set(found.stdout.split())) == names
