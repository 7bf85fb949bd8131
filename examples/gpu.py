"""Solve on a GPU: copy a graph to it once, and copy the answers back when they are needed."""

import sys

import boruvka
from boruvka.backends import why_not
from boruvka.graph.graph import DeviceGraph

quick = "--quick" in sys.argv
graph = boruvka.generators.random(20 if quick else 1_000_000, 60 if quick else 8_000_000, seed=1)

if problem := why_not("cuda"):
    print(f"on the host, because {problem}")
    print(boruvka.minimum_spanning_forest(graph))
else:
    on_gpu = DeviceGraph(graph.u, graph.v, graph.w, graph.n)  # arrays of CuPy or PyTorch are not copied
    lightest = boruvka.minimum_spanning_forest(on_gpu, on_device=True)
    heaviest = boruvka.minimum_spanning_forest(on_gpu, on_device=True, maximum=True)
    print(lightest.to_host(), heaviest.to_host(), sep="\n")
