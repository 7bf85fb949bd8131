"""Print digests of the edges of many solves, to compare machines: run it in each, with an installed wheel.

It needs NumPy and click alone. Numba must not be installed, so that every kernel comes from the wheel.
"""

import hashlib
import tempfile
from pathlib import Path

import numpy as np

import boruvka
from boruvka import generators, stream
from boruvka.algorithms.registry import edge_list_algorithms
from boruvka.kernels import library

THREADS = 1, 2
METRICS = "euclidean", "manhattan", "chebyshev", "squared_euclidean"


def digest(*values):
    """Return a short digest of arrays."""
    content = b"".join(np.ascontiguousarray(value).tobytes() for value in values)
    return hashlib.blake2b(content, digest_size=6).hexdigest()


def solve():
    """All algorithms, types of weights and threads; the check of each forest."""
    for dtype in ("float64", "float32", "int64", "int32", "int16", "int8"):
        graph = generators.random(3_000, 30_000, dtype=dtype)
        edges = boruvka.minimum_spanning_forest(graph, threads=1).edges
        for name in edge_list_algorithms():
            for threads in THREADS:
                forest = boruvka.minimum_spanning_forest(graph, algorithm=name, threads=threads)
                assert np.array_equal(forest.edges, edges), (name, dtype, threads)
                assert boruvka.verify(graph, forest, threads=threads)
        yield dtype, digest(edges)


def points():
    """Metrics that are sums and maxima: others call the C library, whose last bits differ between systems."""
    plane = np.random.default_rng(0).integers(0, 1_000, (4_500, 3)).astype(float)
    for metric in METRICS:
        for n, d in (4_500, 2), (4_500, 3), (4_500, 5), (2_500, 24), (900, 3), (700, 40):
            searched = plane[:n] @ np.arange(3 * d).reshape(3, d)
            for samples in (None, 3):
                graph = boruvka.Graph.from_points(searched, metric, min_samples=samples)
                edges = [boruvka.minimum_spanning_forest(graph, threads=threads).edges for threads in THREADS]
                assert np.array_equal(*edges)
                yield f"{metric} {n} {d} {samples}", digest(edges[0])
    assert boruvka.verify(graph, boruvka.minimum_spanning_forest(graph))


def read_and_stream():
    """Text files and .npz, whole and streamed."""
    graph = generators.grid(60, 60, dtype="int64")
    edges = list(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True))
    texts = {
        "a.gr": f"p sp {graph.n} {graph.m}\n" + "".join(f"a {u + 1} {v + 1} {w}\n" for u, v, w in edges),
        "a.el": "".join(f"{u} {v} {w / 8}\n" for u, v, w in edges),
        "a.npz": "",
    }
    for name, text in texts.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            if text:
                path.write_text(text)
            else:
                boruvka.write(graph, path)
            read = boruvka.read(path)
            yield name, digest(read.u, read.v, read.w)
            streamed = stream.minimum_spanning_forest(path, memory="8G")
            yield f"{name} streamed", digest(streamed.edges, streamed.w)


def queries():
    """What is asked of a forest, and other trees."""
    graph = generators.random(2_000, 8_000, dtype="int32")
    forest = boruvka.minimum_spanning_forest(graph)
    yield "linkage", digest(forest.linkage())
    yield "labels", digest(forest.labels, forest.cut(9))
    prizes = np.arange(graph.n) % 7
    yield "prizes", digest(boruvka.prize_collecting_tree(graph, prizes).edges)
    yield "steiner", digest(boruvka.steiner_tree(graph, [1, 5, 700, 1_200]).edges)
    yield "bottleneck", digest(forest.bottleneck(np.arange(100), np.arange(100, 200)))


if __name__ == "__main__":
    assert library.installed() is not None, "this is no wheel for this machine"
    for part in (solve, points, read_and_stream, queries):
        for name, value in part():
            print(f"{part.__name__:16} {name:24} {value}", flush=True)
