"""Cluster points with scikit-learn's interface."""

from sklearn.datasets import make_moons
from sklearn.neighbors import NearestNeighbors

from boruvka.sklearn import HDBSCAN, SingleLinkage

points, _ = make_moons(2000, noise=0.05, random_state=0)
neighbours = NearestNeighbors(n_neighbors=20).fit(points).kneighbors_graph(points, mode="distance")
model = HDBSCAN(min_cluster_size=25, min_samples=10, metric="precomputed").fit(neighbours)
print(model.labels_.max() + 1, "clusters,", (model.labels_ < 0).sum(), "points of noise")

print(SingleLinkage(n_clusters=None, distance_threshold=0.15).fit(points).n_clusters_, "clusters")
