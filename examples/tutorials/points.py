"""Clusters of points, from single linkage to HDBSCAN."""

import numpy as np
from matplotlib.figure import Figure

import boruvka
from boruvka.sklearn import HDBSCAN

rng = np.random.default_rng(0)
centres = np.array([[0, 0], [4, 0], [2, 3], [7, 4]])
points = np.concatenate([rng.normal(centre, 0.5, size=(150, 2)) for centre in centres])
points = np.concatenate([points, rng.uniform(-2, 9, size=(30, 2))])

graph = boruvka.Graph.from_points(points)
print(graph)

tree = boruvka.minimum_spanning_forest(graph)
print(tree)

labels = tree.cut(4)
print(np.bincount(labels))

labels = tree.cut_at(0.55)
sizes = np.bincount(labels)
print(sizes.size, "clusters, the large ones of", sizes[sizes >= 20], "points")

model = HDBSCAN(min_cluster_size=20).fit(points)
noise = model.labels_ < 0
print("clusters of", np.bincount(model.labels_[~noise]), "points,", noise.sum(), "of noise")

figure = Figure(figsize=(9, 4), layout="constrained")
left, right = figure.subplots(1, 2)
tree.plot_dendrogram(leaves=12, min_size=5, colors=model.labels_, ax=left)
left.set_title("merges of five points or more with others")
right.scatter(*points[noise].T, s=12, marker="x", color="#888888", linewidths=1)
right.scatter(*points[~noise].T, s=8, c=model.labels_[~noise], cmap="tab10", vmin=0, vmax=9)
right.set(aspect="equal", title="clusters of HDBSCAN, and noise (crosses)")
figure.savefig("points.png", dpi=80)
