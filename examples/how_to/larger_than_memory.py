"""Solve, verify and cluster files that do not fit the memory."""

from pathlib import Path

import boruvka
from boruvka import stream

Path("edges").mkdir()
for part in range(4):
    edges = boruvka.generators.random(5000, 20_000, seed=part)
    boruvka.write(edges, f"edges/part-{part}.parquet")

forest = stream.minimum_spanning_forest("edges/", memory="2G")
print(forest.graph.m, "edges read,", len(forest), "in the forest")

print(bool(stream.verify("edges/", forest)))
print(forest.cuts([0.05, 0.1, 0.2]).n_clusters)

boruvka.write(forest, "forest.parquet")


def batches():
    """Give edges as they come, from a query or another program."""
    for seed in range(4):
        edges = boruvka.generators.random(5000, 20_000, seed=seed)
        yield edges.u, edges.v, edges.w


again = stream.minimum_spanning_forest(batches(), memory="2G")
print(again.weight == forest.weight)
