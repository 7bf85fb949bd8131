"""
A broadcast tree
================

One sender, many receivers, and links that cost: for engineers of sensor networks and computer clusters. A
message that travels along the minimum spanning tree reaches everyone at the lowest total cost. Routes to
single receivers may be longer than the shortest ones, which is what the second tree shows.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.collections import LineCollection
from scipy.sparse import csr_array
from scipy.sparse.csgraph import breadth_first_order, dijkstra

import boruvka

SIZE = 600  # tests: 80

graph = boruvka.generators.geometric(SIZE, degree=10, seed=5)
places = np.column_stack(boruvka.generators.geometric_points(SIZE, seed=5))
forest = boruvka.minimum_spanning_forest(graph)
sender = int(np.argmin(np.abs(places - 0.5).sum(axis=1)))  # in the middle

# %%
# The tree of cheapest links, from the sender outwards; and the tree of shortest routes, for comparison.

_, before = breadth_first_order(forest.to_scipy(), sender, directed=False)
links = csr_array((graph.w, (graph.u, graph.v)), shape=(SIZE, SIZE))
_, before_on_route = dijkstra(links, directed=False, indices=sender, return_predecessors=True)

figure, axes = plt.subplots(1, 2, figsize=(8, 5), layout="compressed")
for ax, name, parent in [(axes[0], "cheapest links", before), (axes[1], "shortest routes", before_on_route)]:
    child = np.flatnonzero(parent >= 0)
    length = np.hypot(*(places[child] - places[parent[child]]).T)
    tree = csr_array((length, (parent[child], child)), shape=(SIZE, SIZE))
    distance = dijkstra(tree, indices=sender)[child]
    ax.add_collection(LineCollection(places[np.column_stack([graph.u, graph.v])], colors="#dddddd", lw=0.6))
    lines = LineCollection(places[np.column_stack([parent[child], child])], cmap="viridis_r", lw=2)
    lines.set_array(distance)
    lines.set_clim(0, 3)
    ax.add_collection(lines)
    ax.plot(*places[sender], "*", ms=16, color="#d55e00", mec="black")
    ax.set_title(f"{name}\ntotal {length.sum():.1f}, longest route {distance.max():.2f}")
    ax.set_aspect("equal")
    ax.autoscale_view()
    ax.axis("off")
figure.colorbar(
    lines, ax=axes, location="bottom", shrink=0.5, label="length of the route from the sender (star)"
)
print(f"{child.size} of {SIZE - 1} receivers are reached")

# %%
# On the left, the links cost least in total, but the dark ends are far from the sender. On the right, every
# receiver is near, and the links cost nearly twice as much.
