"""Shared by the tests of formats: random graphs, forests, edges as Python values, and errors."""

import bz2
import gzip
import lzma

import numpy as np
import pytest
from hypothesis import strategies as st

from boruvka import Forest, Graph
from boruvka.errors import FormatError
from boruvka.formats import FORMATS, read


def compress_by_zstandard(data):
    import zstandard

    return zstandard.compress(data)


COMPRESS = {".gz": gzip.compress, ".zst": compress_by_zstandard, ".bz2": bz2.compress, ".xz": lzma.compress}
NEEDS_ZSTANDARD = pytest.mark.needs("zstandard")
ENDINGS = [pytest.param(end, marks=[NEEDS_ZSTANDARD] if end == ".zst" else []) for end in COMPRESS]
NAMES_OF_COMPRESSIONS = {".gz": "gzip", ".zst": "zstd", ".bz2": "bzip2", ".xz": "xz"}
EDGES = [(0, 1, 5), (2, 1, -7)]
WRITTEN = [f for f in FORMATS if f.codec.write and not f.codec.holds.lines]
"""Formats of graphs without coordinates."""
COMPRESSED_FORMATS = [
    pytest.param(
        f,
        end,
        marks=[
            *([NEEDS_ZSTANDARD] if end == ".zst" else []),
            *([] if end in ("", ".gz") or f.name in ("csv", "npz") else [pytest.mark.long]),
        ],
    )
    for f in WRITTEN
    for end in ("", *COMPRESS)
]
"""Formats and compressions, which know nothing of each other: by default not each with each."""

integers = st.integers(-(2**63), 2**63 - 1)
floats = st.floats(allow_nan=False, allow_infinity=True)
WEIGHTS = [
    (np.int64, integers),
    (np.int64, st.integers(-9, 9)),
    (np.uint64, st.integers(0, 2**64 - 1)),
    (np.float64, floats),
    (np.float32, st.floats(allow_nan=False, width=32)),
    (np.float16, st.floats(allow_nan=False, width=16)),
    (np.int8, st.integers(-128, 127)),
]


@st.composite
def graphs(draw, weights=None, simple=False):
    n = draw(st.integers(0, 12))
    vertex = st.integers(0, max(n - 1, 0))
    pairs = draw(st.lists(st.tuples(vertex, vertex), max_size=20 if n else 0))
    if simple:
        pairs = list({tuple(sorted(pair)) for pair in pairs if pair[0] != pair[1]})
    dtype, values = weights or draw(st.sampled_from(WEIGHTS))
    w = draw(st.lists(values, min_size=len(pairs), max_size=len(pairs)))
    return Graph(n, [a for a, _ in pairs], [b for _, b in pairs], np.array(w, dtype))


def forest_of(graph, edges):
    return Forest(graph, np.asarray(edges, np.int64), _is_optimal=False)


def path_for(tmp_path, name, compression=""):
    return tmp_path / f"graph{compression}", {"format": name}


def assert_same(a, b):
    assert a.n == b.n
    assert a.u.tolist() == b.u.tolist()
    assert a.v.tolist() == b.v.tolist()
    assert a.w.tolist() == b.w.tolist()


def canonical(graph):
    return sorted(
        (min(u, v), max(u, v), w)
        for u, v, w in zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True)
    )


def edges_of(graph):
    return list(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True))


def assert_malformed(path, line, message, **options):
    """Check that reading a file fails with a message, and that the error names file and line."""
    with pytest.raises(FormatError) as caught:
        read(path, **options)
    assert str(caught.value).startswith(f"{path}: " if line is None else f"{path}:{line}: ")
    assert message in str(caught.value)
