"""A process that reads mutated files: it ends at whatever is neither a graph nor an error of this package.

``python -m tests.fuzz.file_worker FOLDER FIRST LAST STATE`` reads the valid files of a folder, and tries the
seeds from FIRST up to LAST; negative ones are files of ``tests/fuzz/cases``. The seed in progress is in the
file STATE, so that who started the process knows at which one it was killed. The file that was mutated last
is beside it.
"""

import bz2
import contextlib
import faulthandler
import gzip
import io
import lzma
import random
import re
import resource
import struct
import sys
import traceback
import warnings
import zipfile
from pathlib import Path

import numpy as np
import zstandard

import boruvka
import boruvka.stream
from boruvka.errors import BoruvkaError
from boruvka.formats.files import InputFile
from boruvka.formats.points import read_points
from boruvka.formats.registry import format_to_read

MEMORY = 2 << 30
"""Bytes of address space that a process may take beyond what its libraries have."""
SECONDS = 10
"""Seconds after which a file is taken to hang."""
MOST_FAILURES, LONGEST = 20, 1500
CASES = Path(__file__).parent / "cases"
POINTS = re.compile(r"\.(csv|tsv|txt|npy|npz|parquet|arrow)\b")
STREAMS = re.compile(r"\.(gr|csv|tsv|el|npz|parquet)(\.gz)?$")
NAMED = re.compile(r"\.(csv|tsv|parquet)\b")
"""The files that are read as points, that are streamed, and whose integers may be names."""
COMPRESS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstandard.compress}
NUMBERS = (
    0,
    1,
    2,
    7,
    8,
    127,
    128,
    255,
    256,
    2**15,
    2**16 - 1,
    2**31 - 1,
    2**31,
    2**32 - 1,
    2**48,
    2**63 - 1,
    2**64 - 1,
)
TOKENS = (
    *(
        b"",
        b"0",
        b"1",
        b"-1",
        b"007",
        b"1e400",
        b"nan",
        b"inf",
        b"-0.0",
        b"9" * 19,
        b"9" * 5000,
        b"1.5",
        b"\xff\xfe",
    ),
    *(
        b"\0",
        b"\n",
        b"\r",
        b'"',
        b'""',
        b",",
        b";",
        b" ",
        b"#",
        b"%",
        b"<",
        b"&",
        b"[",
        b"]",
        b"\xed\xa0\x80",
        b"\xc3",
    ),
)


def mutated(rng, data, others):
    """Change bytes in one to four ways."""
    data = bytearray(data)
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        data = bytearray(rng.choice(CHANGES)(rng, data, others))
    return bytes(data)


def places(rng, data, size=1):
    begin = rng.randrange(max(len(data) - size, 0) + 1)
    return begin, min(begin + size, len(data))


def flip_bits(rng, data, others):
    for _ in range(rng.choice((1, 1, 2, 8))):
        if data:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data


def set_bytes(rng, data, others):
    for _ in range(rng.choice((1, 1, 4))):
        if data:
            data[rng.randrange(len(data))] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))
    return data


def cut(rng, data, others):
    return data[: rng.randrange(len(data) + 1)]


def remove(rng, data, others):
    begin, end = places(rng, data, rng.choice((1, 2, 4, 8, 40)))
    return data[:begin] + data[end:]


def insert(rng, data, others):
    begin, _ = places(rng, data)
    return (
        data[:begin] + rng.choice((rng.randbytes(rng.choice((1, 4, 40))), rng.choice(TOKENS))) + data[begin:]
    )


def duplicate(rng, data, others):
    begin, end = places(rng, data, rng.choice((1, 8, 64, 500)))
    return data[:end] + data[begin:end] * rng.choice((1, 1, 2, 50)) + data[end:]


def splice(rng, data, others):
    other = rng.choice(others)
    return data[: places(rng, data)[0]] + other[places(rng, other)[0] :]


def swap_numbers(rng, data, others):
    """Put another number or word in the place of one in a text."""
    found = list(re.finditer(rb"[-+.\w]+", data))
    if not found:
        return data
    chosen = rng.choice(found)
    new = rng.choice((rng.choice(TOKENS), str(rng.choice(NUMBERS)).encode(), rng.choice(found)[0]))
    return data[: chosen.start()] + new + data[chosen.end() :]


def change_length(rng, data, others):
    """Put another number in the place of one of 1 to 8 bytes; near the end as often as elsewhere."""
    size = rng.choice((1, 2, 4, 4, 8, 8))
    begin, _ = places(rng, data, size)
    if rng.random() < 0.5:
        begin = max(len(data) - rng.randrange(1, 120), 0)
    number = rng.choice(
        (rng.choice(NUMBERS), int.from_bytes(data[begin : begin + size], "little") + rng.choice((-1, 1, 8)))
    )
    order = rng.choice(("little", "little", "big"))
    return data[:begin] + (number % 256**size).to_bytes(size, order) + data[begin + size :]


def change_varint(rng, data, others):
    """Put another number of variable length in the place of a byte, as in Parquet and PBF."""
    begin, _ = places(rng, data)
    if rng.random() < 0.5:
        begin = max(len(data) - rng.randrange(1, 500), 0)
    number, encoded = rng.choice(NUMBERS), bytearray()
    while number >= 128:
        encoded.append(number % 128 | 128)
        number //= 128
    return data[:begin] + encoded + bytes([number]) + data[begin + rng.choice((0, 1)) :]


CHANGES = (
    flip_bits,
    set_bytes,
    cut,
    remove,
    insert,
    duplicate,
    splice,
    swap_numbers,
    change_length,
    change_varint,
)


def mutated_inside(rng, data, others):
    """Mutate what a compressed file, or an entry of an archive, holds."""
    if data.startswith(b"PK"):
        result = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(result, "w") as copy:
            names = archive.namelist()
            chosen = rng.choice(names)
            for name in names:
                content = archive.read(name)
                method = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA))
                copy.writestr(name, mutated(rng, content, others) if name == chosen else content, method)
        return result.getvalue()
    return mutated(rng, data, others)


def check_graph(graph, rng):
    """Check what every graph promises, and that it survives being written and read."""
    u, v, w = graph.u, graph.v, graph.w
    assert u.shape == v.shape == w.shape == (graph.m,)
    assert {u.dtype.kind, v.dtype.kind} <= {"i", "u"}
    assert w.dtype.kind in "iuf"
    assert 0 <= graph.n <= 2**48
    if graph.m:
        assert min(int(u.min()), int(v.min())) >= 0
        assert max(int(u.max()), int(v.max())) < graph.n
    assert not (w != w).any()
    if graph.names is not None:
        assert graph.names.shape == (graph.n,)
        assert len(set(graph.names.tolist())) == graph.n
    if rng.random() < 0.25:
        file = io.BytesIO()
        with contextlib.suppress(BoruvkaError):
            format = "parquet" if graph.names is None else "npz"
            boruvka.write(graph, file, format=format)
            again = boruvka.read(io.BytesIO(file.getvalue()), format=format)
            assert again.n == graph.n
            for a, b in zip((u, v, w), (again.u, again.v, again.w), strict=True):
                assert a.tolist() == b.tolist()
            assert graph.names is None or again.names.tolist() == graph.names.tolist()


def attempt(path, what, how, rng):
    """Read a file in one way: a graph or points, or an error of this package."""
    try:
        if what == "read":
            check_graph(boruvka.read(path, **how), rng)
        elif what == "stream":
            boruvka.stream.minimum_spanning_forest(path, memory="3G", **how)
        else:
            points = read_points(path, **how).coordinates
            assert points.ndim == 2
            assert np.isfinite(points).all()
    except BoruvkaError as error:
        if len(str(error)) > LONGEST:
            raise AssertionError("a long message") from None


def ways_of(path):
    """List what is done with a file: each way to read it, with options that its format takes."""
    name, ways = path.name, []
    with contextlib.suppress(BoruvkaError):
        takes = format_to_read(InputFile(path), None).codec.options
        how = [{}, {}, {}]  # more often
        how += [{"unweighted": True}] * ("unweighted" in takes)
        how += [{"names": True}, {"names": False}] * ("names" in takes)
        how += [{"one_based": True}, {"n": 7}] * ("n" in takes)
        how += [{"header": False}, {"header": True}] * ("header" in takes)
        how += [{"columns": (0, 1, 2)}, {"columns": ("v", "u", "w")}] * ("n" in takes)
        ways += [("read", options) for options in how]
    if POINTS.search(name):
        ways += [("points", {}), ("points", {"columns": (0, 1)})]
    if STREAMS.search(name) and not name.startswith("points"):
        ways += [("stream", {}), ("stream", {"names": True} if NAMED.search(name) else {})]
    return ways


def change_and_read(seed, files, ways, folder):
    """Mutate one file as a seed says, and read it in one way."""
    rng = random.Random(seed)
    name = rng.choice(list(files))
    whole, ending = files[name], name.partition(".")[2]
    others = [data for other, data in files.items() if other.endswith(ending.rpartition(".")[2])]
    data = mutated_inside(rng, whole, others) if rng.random() < 0.3 else mutated(rng, whole, others)
    if rng.random() < 0.15 and ending.rpartition(".")[2] not in COMPRESS:
        compression = rng.choice(list(COMPRESS))
        data = COMPRESS[compression](data)
        data = mutated(rng, data, others) if rng.random() < 0.6 else data
        ending = f"{ending}.{compression}"
    path = folder / f"mutated.{ending}"
    path.unlink(missing_ok=True)  # not written in place: something may still look at the one before
    path.write_bytes(data)
    what, how = rng.choice(ways[name])
    attempt(path, what, how, rng)


def main(folder, first, last, state):
    warnings.simplefilter("ignore")
    state = Path(state)
    valid, ways = {}, {}
    for path in sorted(Path(folder).iterdir()):
        valid[path.name], ways[path.name] = path.read_bytes(), ways_of(path)
        for what, how in ways[path.name]:  # loads libraries and kernels, which take memory
            attempt(path, what, how, random.Random(0))
    cases = sorted(CASES.iterdir())
    with open("/proc/self/statm") as statm:
        size = int(statm.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
    failed = 0
    with open(state, "r+b", buffering=0) as progress:
        for seed in range(int(first), int(last)):
            progress.seek(0)
            progress.write(struct.pack("<q", seed))
            faulthandler.dump_traceback_later(SECONDS, exit=True)
            try:
                if seed < 0:
                    for what, how in ways_of(cases[seed]):
                        attempt(cases[seed], what, how, random.Random(0))
                else:
                    change_and_read(seed, valid, ways, state.parent)
            except Exception:
                print(f"seed {seed}:\n{traceback.format_exc()}", flush=True)
                failed += 1
                if failed > MOST_FAILURES:
                    break
    faulthandler.cancel_dump_traceback_later()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
