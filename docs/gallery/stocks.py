"""
A correlation network of stock returns
======================================

Which shares move together, for risk managers. The minimum spanning tree of the correlation distance keeps,
of all pairs of shares, the few that tie each share to its closest relative (R. N. Mantegna, *Hierarchical
structure in financial markets*, 1999). Sectors become branches, although the tree is computed without them.
"""

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np
from matplotlib import color_sequences

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

tree = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(returns.T, "correlation"))
inside = sector[tree.u] == sector[tree.v]
print(f"{inside.sum()} of the {len(tree)} edges join shares of one sector")

places = nx.kamada_kawai_layout(tree.to_networkx(), weight=None)
coordinates = np.array([places[k] for k in range(tree.n)])
names = [f"{sectors[s][:2].upper()}{k % 7 + 1}" for k, s in enumerate(sector)]
tree = boruvka.minimum_spanning_forest(tree.graph.with_names(names))  # names are the labels of the picture
figure, ax = plt.subplots(figsize=(8, 4.4), layout="compressed")
tree.plot(coordinates, by="weight", ax=ax)
for k, (name, marker) in enumerate(zip(sectors, "osD^v", strict=True)):
    shares = coordinates[sector == k].T
    ax.scatter(*shares, s=60, color=color_sequences["petroff10"][k], marker=marker, label=name, zorder=3.5)
figure.legend(loc="outside lower center", ncols=5, frameon=False)
ax.set_title("Shares and their closest relatives (weight: 1 - correlation)")

# %%
# Shares of one sector are connected. The few edges between sectors are dark: they are among the heaviest.
