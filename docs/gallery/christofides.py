"""
A round trip: Christofides' tour
================================

A short tour through all places, for drivers and drills. The shortest tour is hard to find. Christofides'
tour is never longer than one and a half times it, if lengths obey the triangle inequality: it walks around
a minimum spanning tree, after the ends where an odd number of edges meet were paired (N. Christofides,
1976).
"""

import matplotlib.pyplot as plt
import networkx as nx
import numpy as np

import boruvka

SIZE = 150  # tests: 30

places = np.random.default_rng(6).random((SIZE, 2))
tree = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(places)).to_networkx()

# %%
# Pair the places of odd degree by NetworkX, with the lowest total length. Then every degree is even, and
# one closed walk uses every edge.

odd = [k for k, degree in tree.degree if degree % 2]
pairs = nx.Graph()
pairs.add_weighted_edges_from((a, b, np.hypot(*(places[a] - places[b]))) for a in odd for b in odd if a < b)
matching = nx.min_weight_matching(pairs)
walk = nx.MultiGraph([*tree.edges, *matching])
tour = list(dict.fromkeys(a for a, _ in nx.eulerian_circuit(walk)))  # each place when it is first met
length = np.hypot(*(places[tour] - places[np.roll(tour, 1)]).T).sum()
shortest = tree.size(weight="weight")  # no tour is shorter than the tree
print(f"tour {length:.2f}, at most {length / shortest:.2f} times the shortest one")

figure, axes = plt.subplots(1, 2, figsize=(8, 4.4), layout="compressed")
for a, b in tree.edges:
    axes[0].plot(*places[[a, b]].T, color="#0072b2", lw=2, label="minimum spanning tree")
for a, b in matching:
    axes[0].plot(*places[[a, b]].T, color="#d55e00", lw=2, ls="--", label="matching of odd places")
axes[1].fill(*places[tour].T, fill=False, color="#0072b2", lw=2)
handles, labels = axes[0].get_legend_handles_labels()
by_name = dict(zip(labels, handles, strict=True))
figure.legend(by_name.values(), by_name.keys(), loc="outside lower center", ncols=2, frameon=False)
for ax, title in zip(axes, ["tree and matching", f"tour of length {length:.2f}"], strict=True):
    ax.plot(*places.T, "o", color="black", ms=3)
    ax.set_title(title)
    ax.set_aspect("equal")
    ax.axis("off")

# %%
# On the left, dashed lines pair the ends where an odd number of edges meet. On the right, the tour follows
# tree and matching, and skips places where it has been before.
