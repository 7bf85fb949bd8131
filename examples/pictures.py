"""Pictures of a forest, and progress of long work (the extra ``plot``)."""

import numpy as np
from scipy.spatial import Delaunay

import boruvka

points = np.random.default_rng(4).random((400, 2))
corners = np.sort(Delaunay(points).simplices)  # the neighbours of a point are the corners of its triangles
pairs = np.unique(np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [0, 2]]]), axis=0)
lengths = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)
forest = boruvka.minimum_spanning_forest((*pairs.T, lengths))

axes = forest.plot(points, graph_edges=True, by="round")  # also by="weight" or "component"
axes.figure.savefig("map.png", dpi=100)

axes = forest.plot(points, colors=points[:, 0], sizes=forest.rooted(0).depths + 1, labels=False)
axes.figure.savefig("vertices.png", dpi=100)

forest.to_html("tree.html", points, colors="x", metadata={"x": points[:, 0]})

axes = forest.plot_dendrogram(leaves=40, height=0.06)
axes.figure.savefig("dendrogram.png", dpi=100)

forest.animate("rounds.html", points)  # or rounds.gif
print(np.bincount(forest.edge_rounds)[1:], "edges are added in each round")


def show(event):
    """Print how much is done."""
    print(f"{event.phase}: {event.done} of {event.total} {event.unit}, {event.round_edges} edges left")


boruvka.minimum_spanning_forest((*pairs.T, lengths), progress=show)
