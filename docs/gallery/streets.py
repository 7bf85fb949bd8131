"""
Streets of a town, coloured by round
====================================

The shortest network that still reaches every crossing, for planners of cables, pipes or winter roads. The
colour of a street tells the round of Borůvka's algorithm that chose it: most streets are chosen in the
first rounds, and few long ones join the districts at the end.
"""

# %%
# The town is generated. Where the streets of New York lie beside this script (``USA-road-d.NY.gr.gz`` and
# ``USA-road-d.NY.co.gz`` of the 9th DIMACS challenge), it draws these.

from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from scipy.spatial import Delaunay

import boruvka
from boruvka.formats.points import read_coordinates

SIZE = 10_000  # tests: 500

if Path("USA-road-d.NY.co.gz").exists():
    graph = boruvka.read("USA-road-d.NY.gr.gz")
    coordinates = read_coordinates("USA-road-d.NY.co.gz").points
else:
    rng = np.random.default_rng(1)
    districts = rng.uniform((-9, -6), (9, 6), size=(30, 2))
    coordinates = districts[rng.integers(0, 30, SIZE)] + rng.normal(scale=0.6, size=(SIZE, 2))
    triangles = Delaunay(coordinates).simplices  # streets do not cross
    u, v = np.unique(np.sort(triangles[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)), axis=0).T
    graph = boruvka.Graph.from_edges(u, v, np.hypot(*(coordinates[u] - coordinates[v]).T))

# %%
# Solve, and draw with the colours of the rounds.

forest = boruvka.minimum_spanning_forest(graph)
part = forest.weight / graph.w.sum()
print(f"{graph.m:,} streets, {len(forest):,} in the forest, {part:.0%} of the length")

figure, ax = plt.subplots(figsize=(8, 4.4), layout="compressed")
forest.plot(coordinates, by="round", ax=ax)
ax.set_title("Streets of the minimum spanning forest, by round")
figure.legend(handles=ax.get_legend().legend_handles, loc="outside right center", frameon=False)
ax.get_legend().remove()

# %%
# Light lines, of round 1, are everywhere: nearly every crossing chooses its shortest street at once. Dark
# and wide ones, of the last rounds, are few, and join whole districts.
