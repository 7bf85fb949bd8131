"""The memory that a solve takes beside the graph."""

import subprocess
import sys

import pytest

SOLVE = """
import sys
from pathlib import Path
from boruvka import generators, minimum_spanning_forest

def resident(field):
    return 1024 * int(Path("/proc/self/status").read_text().split(f"{field}:")[1].split()[0])

threads = int(sys.argv[1])
minimum_spanning_forest(generators.random(1_000, 50_000, seed=1), threads=threads)
graph = generators.random(500_000, 6_000_000, seed=1)
for array in graph.u, graph.v, graph.w:
    array.max()
Path("/proc/self/clear_refs").write_text("5")
before = resident("VmRSS")
minimum_spanning_forest(graph, threads=threads, algorithm="filter-boruvka")
print((resident("VmHWM") - before) / graph.m)
"""


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="the peak is read from /proc")
@pytest.mark.parametrize(("threads", "bytes_an_edge"), [(1, 16), (2, 22)])
def test_a_filter_keeps_little_of_the_edges(threads, bytes_an_edge):
    """A sixth of the edges is stored, in some 20 bytes each, and components of the vertices."""
    done = subprocess.run(
        [sys.executable, "-c", SOLVE, str(threads)], capture_output=True, text=True, check=True
    )
    assert float(done.stdout) < bytes_an_edge
