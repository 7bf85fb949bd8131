"""A process that reads mutated files. It fails if a file is neither a graph nor an error of this package.

``python -m tests.fuzz.file_worker VALID CASES STATE FIRST LAST MEMORY SECONDS`` tries the seeds from FIRST to
LAST - 1. A seed mutates a file of the folder VALID; a negative seed is a file of the folder CASES. The
process may add MEMORY bytes, fewer for a bomb, and stops early after SECONDS. The seed in progress is in the
file STATE, in case the process is killed; the file that was mutated last is beside it.
"""

import bz2
import contextlib
import faulthandler
import gc
import gzip
import io
import lzma
import random
import re
import resource
import struct
import sys
import time
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

HANG, HANG_OF_A_CASE = 10, 60
"""Seconds after which a file is taken to hang."""
MEMORY_OF_A_BOMB = 700 << 20
"""Bytes that the process may add for a file that expands."""
MOST_FAILURES, LONGEST = 20, 1500
POINTS = re.compile(r"\.(csv|tsv|txt|npy|npz|parquet|arrow)\b")
"""Files that are read as points."""
STREAMS = re.compile(r"(?!points).*\.(gr|csv|tsv|el|npz|parquet)(\.gz)?$")
"""Files that are streamed."""
NAMED = re.compile(r"\.(csv|tsv|parquet)\b")
"""Streamed files whose integers may be names."""
COMPRESS = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress, "zst": zstandard.compress}
NUMBERS = [0, 1, 2, 7, 8, 127, 128, *(2**k - d for k in (8, 16, 31, 32, 48, 63, 64) for d in (0, 1))]
TOKENS = [
    *b"0 1 -1 007 1e400 nan inf -0.0 1.5 \xff\xfe \xed\xa0\x80 \xc3".split(),
    *(bytes([x]) for x in b'\0\n\r",; #%<&[]'),
    *(b"", b'""', b"9" * 19, b"9" * 5000),
]


def position(rng, data, size=1, tail=0):
    """Choose where ``size`` bytes are; half of the time within the last ``tail`` bytes, if given."""
    if tail and rng.random() < 0.5:
        return max(len(data) - rng.randrange(1, tail), 0)
    return rng.randrange(max(len(data) - size, 0) + 1)


def replace(data, at, old, new):
    return data[:at] + new + data[at + old :]


def flip_bit(rng, data, others):
    at = position(rng, data)
    return replace(data, at, 1, bytes(x ^ 1 << rng.randrange(8) for x in data[at : at + 1]))


def set_byte(rng, data, others):
    return replace(
        data, position(rng, data), 1, bytes([rng.choice((0, 1, 0x7F, 0x80, 0xFF, rng.randrange(256)))])
    )


def cut(rng, data, others):
    return data[: rng.randrange(len(data) + 1)]


def remove(rng, data, others):
    size = rng.choice((1, 2, 4, 8, 40))
    return replace(data, position(rng, data, size), size, b"")


def insert(rng, data, others):
    new = rng.choice((rng.randbytes(rng.choice((1, 4, 40))), rng.choice(TOKENS)))
    return replace(data, position(rng, data), 0, new)


def duplicate(rng, data, others):
    size = rng.choice((1, 8, 64, 500))
    at = position(rng, data, size)
    return replace(data, at, 0, data[at : at + size] * rng.choice((1, 1, 2, 50)))


def splice(rng, data, others):
    other = rng.choice(others)
    return data[: position(rng, data)] + other[position(rng, other) :]


def swap_words(rng, data, others):
    """Replace a number or word of a text by another."""
    found = list(re.finditer(rb"[-+.\w]+", data))
    if not found:
        return data
    chosen = rng.choice(found)
    new = rng.choice((rng.choice(TOKENS), str(rng.choice(NUMBERS)).encode(), rng.choice(found)[0]))
    return replace(data, chosen.start(), len(chosen[0]), new)


def change_integer(rng, data, others):
    """Replace an integer of 1 to 8 bytes."""
    size = rng.choice((1, 2, 4, 4, 8, 8))
    at = position(rng, data, size, tail=120)
    near = int.from_bytes(data[at : at + size], "little") + rng.choice((-1, 1, 8))
    number = rng.choice((rng.choice(NUMBERS), near)) % 256**size
    return replace(data, at, size, number.to_bytes(size, rng.choice(("little", "little", "big"))))


def change_varint(rng, data, others):
    """Replace a byte by an integer of variable length, as in Parquet and PBF."""
    number, encoded = rng.choice(NUMBERS), b""
    while number >= 128:
        encoded += bytes([number % 128 | 128])
        number //= 128
    return replace(data, position(rng, data, tail=500), rng.choice((0, 1)), encoded + bytes([number]))


MUTATIONS = [
    *(flip_bit, set_byte, cut, remove, insert, duplicate),
    *(splice, swap_words, change_integer, change_varint),
]


def mutated(rng, data, others):
    """Change a file in one to eight ways."""
    for _ in range(rng.choice((1, 1, 1, 2, 4, 8))):
        data = rng.choice(MUTATIONS)(rng, data, others)
    return data


def mutated_entry(rng, data, others):
    """Mutate one entry of a ZIP archive."""
    result = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as archive, zipfile.ZipFile(result, "w") as copy:
        names = archive.namelist()
        chosen = rng.choice(names)
        for name in names:
            content = archive.read(name)
            method = rng.choice((zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_LZMA))
            copy.writestr(name, mutated(rng, content, others) if name == chosen else content, method)
    return result.getvalue()


def check_graph(graph, rng):
    """Check what every graph promises, and that it can be written and read again."""
    u, v, w = graph.u, graph.v, graph.w
    assert u.shape == v.shape == w.shape == (graph.m,)
    assert {u.dtype.kind, v.dtype.kind} <= {"i", "u"}
    assert w.dtype.kind in "iuf"
    assert 0 <= graph.n <= 2**48
    assert not graph.m or 0 <= min(u.min(), v.min()) <= max(u.max(), v.max()) < graph.n
    assert not (w != w).any()
    if graph.names is not None:
        assert graph.names.shape == (graph.n,)
        assert len(set(graph.names.tolist())) == graph.n
    if rng.random() < 0.25:
        file, format = io.BytesIO(), "parquet" if graph.names is None else "npz"
        with contextlib.suppress(BoruvkaError):
            boruvka.write(graph, file, format=format)
            again = boruvka.read(io.BytesIO(file.getvalue()), format=format)
            assert again.n == graph.n
            for a, b in zip((u, v, w), (again.u, again.v, again.w), strict=True):
                assert a.tolist() == b.tolist()
            if graph.names is not None:  # ends of lines are written as texts
                names = [str(name) if isinstance(name, tuple) else name for name in graph.names.tolist()]
                assert again.names.tolist() == names


def check_points(points):
    assert points.ndim == 2
    assert np.isfinite(points).all()


ENTRANCES = {
    "read": lambda path, rng, how: check_graph(boruvka.read(path, **how), rng),
    "points": lambda path, rng, how: check_points(read_points(path, **how).coordinates),
    "stream": lambda path, rng, how: boruvka.stream.minimum_spanning_forest(path, memory="3G", **how),
}


def attempt(path, entrance, how, rng):
    """Read a file in one way: the result is right, or there is a short error of this package."""
    try:
        ENTRANCES[entrance](path, rng, how)
    except BoruvkaError as error:
        if len(str(error)) > LONGEST:
            raise AssertionError("a long message") from None


def ways_of(path):
    """List the entrances of a file, with options that its format has; bombs are read without options."""
    if path.name.startswith("bomb"):
        return [("read", {}), ("points", {})]
    ways = []
    with contextlib.suppress(BoruvkaError):
        options = format_to_read(InputFile(path), None).codec.options
        for option, alternatives in {
            "": [{}, {}, {}],  # more often
            "unweighted": [{"unweighted": True}],
            "names": [{"names": True}, {"names": False}],
            "n": [{"one_based": True}, {"n": 7}, {"columns": (0, 1, 2)}, {"columns": ("v", "u", "w")}],
            "header": [{"header": False}, {"header": True}],
        }.items():
            ways += [("read", how) for how in alternatives if option in options or not option]
    if POINTS.search(path.name):
        ways += [("points", {}), ("points", {"columns": (0, 1)})]
    if STREAMS.match(path.name):
        ways += [("stream", {}), ("stream", {"names": True} if NAMED.search(path.name) else {})]
    return ways


def mutate_and_read(seed, files, folder):
    """Mutate one file as a seed determines, and read it in one way."""
    rng = random.Random(seed)
    name = rng.choice(list(files))
    data, ways = files[name]
    ending = name.partition(".")[2]
    others = [other for key, (other, _) in files.items() if key.endswith(ending.rpartition(".")[2])]
    inside = data.startswith(b"PK") and rng.random() < 0.3
    data = (mutated_entry if inside else mutated)(rng, data, others)
    if rng.random() < 0.15 and ending.rpartition(".")[2] not in COMPRESS:
        compression = rng.choice(list(COMPRESS))
        data, ending = COMPRESS[compression](data), f"{ending}.{compression}"
        data = mutated(rng, data, others) if rng.random() < 0.6 else data
    path = folder / f"mutated.{ending}"
    path.unlink(missing_ok=True)  # not overwritten: the file before may still be mapped
    path.write_bytes(data)
    attempt(path, *rng.choice(ways), rng)


def limit_memory(more):
    """Limit the address space of this process to what it has, and more."""
    with open("/proc/self/statm") as statm:
        size = int(statm.read().split()[0]) * resource.getpagesize() + more
    resource.setrlimit(resource.RLIMIT_AS, (size, resource.RLIM_INFINITY))


def main(valid, cases, state, first, last, memory, seconds):
    warnings.simplefilter("ignore")
    state, files, failures = Path(state), {}, 0
    for path in sorted(Path(valid).iterdir()):
        files[path.name] = path.read_bytes(), ways_of(path)
        for way in files[path.name][1]:  # loads libraries and kernels, which take memory
            attempt(path, *way, random.Random(0))
    gc.collect()
    gc.freeze()  # a stream collects garbage
    cases = sorted(Path(cases).iterdir())
    limit_memory(int(memory))
    end = time.monotonic() + int(seconds)
    with open(state, "r+b", buffering=0) as progress:
        for seed in range(int(first), int(last)):
            if failures > MOST_FAILURES or time.monotonic() > end:
                break
            progress.seek(0)
            progress.write(struct.pack("<q", seed))
            faulthandler.dump_traceback_later(HANG if seed >= 0 else HANG_OF_A_CASE, exit=True)
            try:
                if seed < 0:
                    is_bomb = cases[seed].name.startswith("bomb")
                    limit_memory(MEMORY_OF_A_BOMB if is_bomb else int(memory))
                    for way in ways_of(cases[seed]):
                        attempt(cases[seed], *way, random.Random(0))
                else:
                    if seed == 0:
                        limit_memory(int(memory))
                    mutate_and_read(seed, files, state.parent)
            except Exception:
                print(f"seed {seed}:\n{traceback.format_exc()}", flush=True)
                failures += 1
    faulthandler.cancel_dump_traceback_later()
    print(f"{seed + 1 - int(first)} tries", flush=True)
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
