"""Solve on a GPU: copy the graph once, and copy results back only when they are needed."""

import sys

import boruvka
from boruvka.backends import why_not
from boruvka.graph.device_graph import DeviceGraph

quick = "--quick" in sys.argv
graph = boruvka.generators.random(20 if quick else 1_000_000, 60 if quick else 8_000_000, seed=1)

if problem := why_not("cuda"):
    print(f"solved on the host: {problem}")
    print(boruvka.minimum_spanning_forest(graph))
else:
    on_gpu = DeviceGraph(graph.u, graph.v, graph.w, graph.n)  # CuPy and PyTorch arrays are not copied
    minimum = boruvka.minimum_spanning_forest(on_gpu, on_device=True)
    maximum = boruvka.minimum_spanning_forest(on_gpu, on_device=True, maximum=True)
    print(minimum.to_host(), maximum.to_host(), sep="\n")
