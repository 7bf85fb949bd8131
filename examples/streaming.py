"""The forest of edges in a folder of Parquet files, which need not fit the memory."""

from pathlib import Path

import boruvka
from boruvka import stream

Path("edges").mkdir(exist_ok=True)
for k in range(3):  # the parts of one graph
    boruvka.write(boruvka.generators.random(10_000, 40_000, seed=k), f"edges/part-{k}.parquet")

forest = stream.minimum_spanning_forest("edges/", memory="2G")
print(forest.graph.m, "edges were read;", len(forest), "are in the forest")
assert stream.verify("edges/", forest)
assert forest.labels.max() + 1 == forest.n_components
