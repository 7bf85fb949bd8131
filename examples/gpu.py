"""Solve on a GPU: copy a graph there once, and leave the answers there until they are wanted."""

import sys

import boruvka
from boruvka.backends import why_not
from boruvka.graph.device_graph import DeviceGraph

quick = "--quick" in sys.argv
graph = boruvka.generators.random(20 if quick else 1_000_000, 60 if quick else 8_000_000, seed=1)

if problem := why_not("cuda"):
    print(f"on the host, for {problem}")
    print(boruvka.minimum_spanning_forest(graph))
else:
    there = DeviceGraph(graph.u, graph.v, graph.w, graph.n)  # arrays of CuPy or PyTorch are not copied
    lightest = boruvka.minimum_spanning_forest(there, on_device=True)
    heaviest = boruvka.minimum_spanning_forest(there, on_device=True, maximum=True)
    print(lightest.to_host(), heaviest.to_host(), sep="\n")
