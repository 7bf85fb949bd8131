"""A road network, from a file to a map."""

import numpy as np

import boruvka

places = np.column_stack(boruvka.generators.geometric_points(400, seed=3))
roads = boruvka.generators.geometric(400, degree=9, seed=3)
boruvka.write(roads, "roads.csv")

graph = boruvka.read("roads.csv")
print(graph)

forest = boruvka.minimum_spanning_forest(graph)
print(forest)
print(f"{forest.weight:.2f} of {graph.w.sum():.2f} km")

check = boruvka.verify(graph, forest)
print(check.message)

path = forest.path(0, 100)
print(f"{path.size} roads, {graph.w[path].sum():.3f} km")

road, length = forest.bottleneck(0, 100)
print(f"the longest of them is road {road}, with {length:.3f} km")

ax = forest.plot(places, graph_edges=True, by="round")
ax.plot(*places[[0, 100]].T, "*", markersize=20, color="#d55e00", markeredgecolor="black", zorder=5)
ax.figure.savefig("road_network.png", dpi=80)

boruvka.write(forest, "forest.csv")
