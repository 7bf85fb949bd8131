"""The minimum spanning network of haplotypes, the next best trees, and the planar network of stocks."""

from itertools import takewhile

import networkx
import numpy as np
import pandas as pd

import boruvka

rng = np.random.default_rng(7)
founder = rng.choice(list("ACGT"), 30)
sequences = [founder]
while len(sequences) < 60:
    child = sequences[rng.integers(len(sequences))].copy()
    if rng.random() < 0.6:  # else it is equal
        site = rng.choice([3, 8, 11, 17, 24, 29])  # few sites vary, so the same changes happen again
        child[site] = rng.choice(list("ACGT"))
    sequences.append(child)
names = [f"H{k:02}" for k in range(60)]
sites = [f"site{k}" for k in range(30)]
haplotypes = pd.DataFrame(sequences, index=names, columns=sites)
region = pd.Series(rng.choice(["coast", "hills", "plain"], 60), index=names, name="region")

graph = boruvka.Graph.from_profiles(haplotypes, collapse=True)
tree = boruvka.minimum_spanning_forest(graph)
network = tree.network()
print(len(tree), "edges of the tree,", len(network), "of the network")

alternatives = network.to_pandas()
alternatives = alternatives[alternatives["alternative"]]
print(alternatives.head(3).to_string(index=False))

axes = network.plot(colors=region, labels=False, weights=True)
axes.figure.savefig("network.png", dpi=100)

network.to_html("network.html", colors="region", metadata=region.to_frame())
boruvka.write(network, "network.csv")

cables = [("a", "b", 4), ("b", "c", 3), ("c", "d", 5), ("d", "a", 6), ("a", "c", 4)]
for k, plan in enumerate(boruvka.minimum_spanning_forest(cables).ranked(4), 1):
    ends = plan.to_pandas()[["source", "target"]]
    print(k, plan.weight, *(ends["source"] + ends["target"]))

forest = boruvka.minimum_spanning_forest(cables)
print("the only one:", forest.is_unique)

best = list(takewhile(lambda plan: plan.weight == forest.weight, forest.ranked()))
second = next(plan for plan in forest.ranked() if plan.weight > forest.weight)
print(len(best), "trees of weight", forest.weight, "then", second.weight)
for plan in best:
    result = boruvka.verify(cables, plan.edges)
    print(plan.edges, result.ok, result.is_minimum)


def planar_network(distances):
    """Find the planar maximally filtered graph: light pairs first, without those that must cross."""
    pairs = distances.where(np.triu(np.ones(distances.shape), 1) > 0).stack().dropna()
    planar = networkx.Graph()
    for (a, b), weight in pairs.sort_values(kind="stable").items():
        planar.add_edge(a, b, weight=weight)
        if not networkx.is_planar(planar):
            planar.remove_edge(a, b)
        if planar.number_of_edges() == 3 * (len(distances) - 2):  # a planar graph has no more
            break
    return planar


sectors = np.arange(20) % 4
returns = rng.normal(size=(500, 20)) + rng.normal(size=(500, 4))[:, sectors]
stocks = [f"{'BEHT'[sector]}{k // 4}" for k, sector in enumerate(sectors)]
distances = np.sqrt(2 * (1 - pd.DataFrame(returns, columns=stocks).corr()))
planar = planar_network(distances)
tree = boruvka.minimum_spanning_forest(planar)
print(planar.number_of_edges(), "edges, of which", len(tree), "are the minimum spanning tree")
