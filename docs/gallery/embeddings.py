"""
Topics of embeddings of 768 dimensions
======================================

Vectors that a language model makes of texts, for those who look for topics in them. Distances between points
of so many dimensions are nearly equal, so no exact tree avoids most pairs. A graph of nearest neighbours,
found by an index, is enough: its forest has nearly all edges of the exact tree.
"""

import matplotlib.pyplot as plt
import numpy as np
from matplotlib import color_sequences

import boruvka

SIZE = 3_000  # tests: 300
TOPICS, DIMENSIONS = 8, 768

# %%
# The vectors are generated: a text has a topic, and a part of a second one.

rng = np.random.default_rng(4)
centres = rng.normal(size=(TOPICS, DIMENSIONS))
topic, second = rng.integers(0, TOPICS, (2, SIZE))
vectors = centres[topic] + 0.4 * rng.random((SIZE, 1)) * centres[second]
vectors += 0.6 * rng.normal(size=vectors.shape)

# %%
# ``index="exact"`` compares all pairs, which is fast enough for some thousands of points. For a million, take
# ``index="pynndescent"`` or ``"hnswlib"``: some neighbours, and so some edges, may then not be the nearest.
# Separate components are joined by the lightest edges between them.

graph = boruvka.Graph.from_points_approximately(vectors, n_neighbors=15, metric="cosine", ann_index="exact")
forest = boruvka.minimum_spanning_forest(graph)

# %%
# In the tree, texts of one topic have a cosine distance of at most 0.26, and texts of two topics at least
# 0.4. So a cut between the two gives the topics. The picture projects the vectors to the plane in
# which the means of the clusters are on a circle.

labels = forest.cut_at(0.36)
sizes = np.bincount(labels)
large = np.flatnonzero(sizes >= SIZE // 40)
means = np.stack([vectors[labels == label].mean(axis=0) for label in large])
angles = 2 * np.pi * np.arange(len(large)) / len(large)
places = vectors @ np.linalg.pinv(means) @ np.column_stack([np.cos(angles), np.sin(angles)])

colours = np.array(color_sequences["petroff10"])
figure, ax = plt.subplots(figsize=(7.5, 5.5), layout="compressed")
u, v = forest.u, forest.v
ax.plot(places[[u, v], 0], places[[u, v], 1], color="#bbbbbb", linewidth=0.4, zorder=1)
for k, label in enumerate(large):
    points = places[labels == label]
    ax.scatter(*points.T, s=6, color=colours[k % 10], label=f"cluster {k + 1}: {len(points)} texts", zorder=2)
ax.set_title(f"{len(large)} clusters among {SIZE:,} embeddings, and their tree")
ax.set_aspect("equal")
ax.axis("off")
figure.legend(loc="outside right upper", frameon=False, markerscale=3)
print(f"{len(large)} large clusters of {TOPICS} topics; the tree has {len(forest):,} edges")

# %%
# Each colour is a cluster, and is one topic. Points lie towards the topic of which their texts have a part.
# The grey lines are the tree; the few that join two colours are those that the cut removed.
