"""
The rounds of Borůvka's algorithm
=================================

How the algorithm works, for learners and teachers. In each round, every component chooses its lightest edge
to another component, and all these edges join the forest at once. The number of components at least halves,
so a million vertices take at most twenty rounds.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection

import boruvka

SIZE = 150  # tests: 30

graph = boruvka.generators.geometric(SIZE, degree=9, seed=8)
places = np.column_stack(boruvka.generators.geometric_points(SIZE, seed=8))
forest = boruvka.minimum_spanning_forest(graph)

# %%
# ``forest.edge_rounds`` tells the round that adds each edge. The components after a round are connected by
# the edges of this round and of earlier ones.

rounds = int(forest.edge_rounds.max())
ends = places[np.column_stack([forest.u, forest.v])]
colours = np.array(plt.matplotlib.color_sequences["petroff10"])
figure, axes = plt.subplots(2, (rounds + 1) // 2, figsize=(7.5, 8), layout="compressed", squeeze=False)
for ax in axes.ravel():
    ax.axis("off")
for number, ax in enumerate(axes.ravel()[:rounds], 1):
    old, new = forest.edge_rounds < number, forest.edge_rounds == number
    before = boruvka.minimum_spanning_forest((forest.u[old], forest.v[old], forest.w[old], SIZE))
    colour_of = colours[before.labels % 10]
    ax.add_collection(LineCollection(places[np.column_stack([graph.u, graph.v])], colors="#dddddd", lw=0.8))
    ax.add_collection(LineCollection(ends[old], colors=colour_of[forest.u[old]], lw=3))
    ax.add_collection(LineCollection(ends[new], colors="black", lw=1.8, label="chosen in this round"))
    ax.scatter(*places.T, s=22, c=colour_of, zorder=3)
    ax.set_title(f"round {number}: {before.n_components} components,\n{new.sum()} edges chosen")
    ax.set_aspect("equal")
    print(f"round {number}: {before.n_components} components choose {new.sum()} edges")
handles = axes[0, 0].get_legend_handles_labels()
figure.legend(*handles, loc="outside lower center", frameon=False)

# %%
# Components at the start of a round have one colour each; in round 1, every vertex is one. Black edges are
# those that they choose. They join them to the components of the next round, at most half as many.
