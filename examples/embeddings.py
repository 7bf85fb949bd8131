"""Cluster embeddings of 768 dimensions by an approximate graph of neighbours (extra ``pynndescent``).

Distances between points of so many dimensions are nearly equal, and no exact algorithm avoids most pairs. An
index finds nearly all neighbours in far less time. What that costs is printed: how many edges of the exact
tree are missing, and whether the clusters differ. Run with --index hnswlib for the other index, or --index
exact for brute force.
"""

import argparse
import time

import numpy as np
from sklearn.metrics import adjusted_rand_score

import boruvka

HEIGHT = 0.4
"""Neighbours of one topic have a cosine distance of about 0.27, documents of two topics 0.6 and more."""


def embeddings(n, d=768, topics=40, seed=0):
    """Draw documents around topics; a document has a little of a second topic, so topics touch."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(topics, d))
    first, second = random.integers(0, topics, (2, n))
    vectors = centres[first] + 0.4 * random.random((n, 1)) * centres[second]
    return (vectors + 0.6 * random.normal(size=(n, d))).astype(np.float32), first


def main():
    """Cluster the embeddings, and compare with the tree of all pairs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=10_000)
    parser.add_argument("--index", default="pynndescent", choices=["pynndescent", "hnswlib", "exact"])
    parser.add_argument("--quick", action="store_true", help="1000 points and the exact index")
    arguments = parser.parse_args()
    n, index = (1000, "exact") if arguments.quick else (arguments.points, arguments.index)
    vectors, topics = embeddings(n)

    begin = time.perf_counter()
    graph = boruvka.Graph.from_points_approximately(vectors, n_neighbors=15, metric="cosine", ann_index=index)
    forest = boruvka.minimum_spanning_forest(graph)
    seconds = time.perf_counter() - begin
    print(f"{index}: {forest} in {seconds:.1f} s")

    begin = time.perf_counter()
    exact = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(vectors.astype(float), "cosine"))
    print(f"all pairs: {exact} in {time.perf_counter() - begin:.1f} s")
    print(f"the approximate tree is heavier by {100 * (forest.weight / exact.weight - 1):.3f} %")

    found, expected = (set(zip(f.u.tolist(), f.v.tolist(), strict=True)) for f in (forest, exact))
    print(f"{100 * len(found & expected) / len(expected):.2f} % of the edges of the exact tree are in it")

    clusters, expected_clusters = forest.cut_at(HEIGHT), exact.cut_at(HEIGHT)
    print(f"below {HEIGHT}: {clusters.max() + 1} clusters, with all pairs {expected_clusters.max() + 1}")
    print(f"adjusted Rand index with these: {adjusted_rand_score(expected_clusters, clusters):.4f},", end=" ")
    print(f"with the topics: {adjusted_rand_score(topics, clusters):.4f}")


if __name__ == "__main__":
    main()
