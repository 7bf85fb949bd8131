"""
A correlation network of stock returns
======================================

Which shares move together, for risk managers. The minimum spanning tree of the correlation distance keeps,
of all pairs of shares, the few that tie each share to its closest relative (R. N. Mantegna, *Hierarchical
structure in financial markets*, 1999). Sectors become branches, although the tree is computed without them.
"""

import matplotlib.pyplot as plt
import numpy as np

import boruvka

SIZE = 750  # tests: 60

# %%
# Daily returns are generated: the market, the sector, and the share itself.

rng = np.random.default_rng(3)
sectors = ["banks", "energy", "health", "software", "transport"]
sector = np.repeat(np.arange(5), 7)
market, industry, own = (rng.normal(size=(SIZE, k)) for k in (1, 5, sector.size))
returns = 0.6 * market + 0.9 * industry[:, sector] + own * rng.uniform(0.6, 1.4, sector.size)

# %%
# A point is the series of a share, and the distance of two is one minus their correlation.

names = [f"{sectors[s][:2].upper()}{k % 7 + 1}" for k, s in enumerate(sector)]
graph = boruvka.Graph.from_points(returns.T, "correlation", names=names)
tree = boruvka.minimum_spanning_forest(graph)
inside = sector[tree.u] == sector[tree.v]
print(f"{inside.sum()} of the {len(tree)} edges join shares of one sector")

# %%
# The colour of a vertex is its sector, the colour of an edge its weight.

figure, ax = plt.subplots(figsize=(9, 4.4), layout="constrained")
sector_of = {name: sectors[s] for name, s in zip(names, sector, strict=True)}
tree.plot(colors=sector_of, by="weight", labels=True, ax=ax)
figure.suptitle("Shares and their closest relatives (weight: 1 - correlation)")

# %%
# Shares of one sector are connected. The few edges between sectors are dark: they are among the heaviest.
