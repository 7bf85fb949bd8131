"""Time one solve against SciPy's minimum_spanning_tree.

Run ``python benchmarks/against_scipy.py [--threads 1]``. Both start from arrays in memory (SciPy from a
CSR array that is ready), run in turn in one process after a first call, and must agree on the number of
edges and the weight before their times count.
"""

from __future__ import annotations

import argparse
import ctypes
import platform
import time
from pathlib import Path

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import minimum_spanning_tree

import boruvka
from boruvka import generators

GRAPHS = {
    "uniform random 1M / 9M": lambda dtype: generators.random(10**6, 9 * 10**6, seed=1, dtype=dtype),
    "R-MAT scale 20 / 15.7M": lambda dtype: generators.rmat(
        20, 15_700_000, a=0.57, b=0.19, c=0.19, d=0.05, permute=True, seed=1, dtype=dtype
    ),
    "Kronecker scale 20 / 16.8M": lambda dtype: generators.kronecker(20, 16, seed=1, dtype=dtype),
    "grid 2000 x 2000, shuffled edges": lambda dtype: generators.grid(
        2000, 2000, drop=0.1, shuffle=True, seed=1, dtype=dtype
    ),
    "grid 2000 x 2000": lambda dtype: generators.grid(2000, 2000, drop=0.1, seed=1, dtype=dtype),
    "random 1,000 / 5,000": lambda dtype: generators.random(1000, 5000, seed=1, dtype=dtype),
}


def simple_csr(graph: boruvka.Graph) -> sparse.csr_array:
    """Make what SciPy can take: the lightest of parallel edges, no loops, weights above zero."""
    low, high = np.minimum(graph.u, graph.v), np.maximum(graph.u, graph.v)
    order = np.lexsort((graph.w, high, low))
    low, high, w = low[order], high[order], graph.w[order].astype(float)
    first = np.r_[True, (low[1:] != low[:-1]) | (high[1:] != high[:-1])] & (low != high)
    w = np.maximum(w[first], np.finfo(float).tiny)
    return sparse.coo_array((w, (low[first], high[first])), shape=(graph.n, graph.n)).tocsr()


def peak_memory(run) -> int:
    """Peak of resident memory during a call, beyond what there was, in bytes (Linux, glibc)."""
    ctypes.CDLL(None).malloc_trim(0)  # what was freed before must not be used again unseen
    Path("/proc/self/clear_refs").write_text("5")  # the peak begins anew

    def kilobytes(field):
        status = Path("/proc/self/status").read_text()
        return int(status.split(f"{field}:")[1].split()[0])

    before = kilobytes("VmRSS")
    run()
    return 1024 * (kilobytes("VmHWM") - before)


def main() -> None:
    """Print one row for each graph and type of weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--dtype", nargs="+", default=["float32", "float64"])
    options = parser.parse_args()
    print(f"{platform.processor() or platform.machine()}, Python {platform.python_version()}")
    print("| graph | weights | SciPy (s) | boruvka (s) | times faster | bytes an edge |")
    print("|---|---|---|---|---|---|")
    for name, make in GRAPHS.items():
        for dtype in options.dtype:
            graph = make(dtype)
            matrix = simple_csr(graph)

            def solve(graph=graph):
                return boruvka.minimum_spanning_forest(graph, threads=options.threads)

            forest, tree = solve(), minimum_spanning_tree(matrix)
            assert len(forest) == tree.nnz
            assert np.isclose(forest.weight, tree.sum(), rtol=1e-9)
            ours, theirs = [], []
            for _ in range(options.repeat if graph.m > 10**5 else 200):
                begin = time.perf_counter()
                solve()
                middle = time.perf_counter()
                minimum_spanning_tree(matrix)
                ours.append(middle - begin)
                theirs.append(time.perf_counter() - middle)
            memory = peak_memory(solve) / graph.m if graph.m > 10**6 else float("nan")
            print(
                f"| {name} | {dtype} | {min(theirs):.4f} | {min(ours):.5f} | "
                f"{min(theirs) / min(ours):.1f} | {memory:.1f} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
