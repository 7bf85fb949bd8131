"""
Duplicate records, with clusters for each threshold
===================================================

Which records are the same person, for those who clean data. A model scores pairs of records, and records
that are connected by scores above a threshold are one person. Which threshold is best is only known when
the clusters at many of them are compared. One maximum spanning forest has the clusters at all thresholds.
"""

import matplotlib.pyplot as plt
import numpy as np

import boruvka

SIZE = 20_000  # tests: 1_000

# %%
# Pairs are generated: records of one person mostly score high, others mostly low.

rng = np.random.default_rng(7)
person = rng.integers(0, SIZE // 3, SIZE)
by_person = np.argsort(person, kind="stable")
near = np.concatenate([np.stack([by_person[:-k], by_person[k:]]) for k in (1, 2, 3)], axis=1)
u, v = np.concatenate([near, rng.integers(0, SIZE, (2, 5 * SIZE))], axis=1)
same = person[u] == person[v]
score = np.where(same, rng.beta(6, 1.5, u.size), rng.beta(1.2, 12, u.size))

# %%
# One solve, then one pass over the forest for all thresholds.

graph = boruvka.Graph.from_edges(u, v, score, n=SIZE)
forest = boruvka.minimum_spanning_forest(graph, maximum=True)
thresholds = np.linspace(0.2, 0.95, 16)
cuts = forest.cuts(thresholds)


def pairs(*labels):
    """Count the pairs of records that all labellings put together."""
    sizes = np.unique(np.stack(labels), axis=1, return_counts=True)[1]
    return int((sizes * (sizes - 1) // 2).sum())


found = np.array([pairs(labels) for labels in cuts])
right = np.array([pairs(labels, person) for labels in cuts])
precision, recall = right / np.maximum(found, 1), right / pairs(person)
score_of = 2 * precision * recall / np.maximum(precision + recall, 1e-9)
best = int(score_of.argmax())
print(f"{len(graph.u):,} pairs; best at {thresholds[best]:.2f}: {cuts.n_clusters[best]:,} clusters")

figure, (above, below) = plt.subplots(2, 1, figsize=(7, 5.6), layout="constrained", sharex=True)
above.plot(thresholds, precision, "o-", color="#0072b2", label="precision: pairs found that are right")
above.plot(thresholds, recall, "s--", color="#d55e00", label="recall: right pairs that are found")
above.axvline(thresholds[best], color="#555555", lw=1, ls=":", label=f"best, {thresholds[best]:.2f}")
above.set(ylabel="part of the pairs", title=f"Clusters of {SIZE:,} records at each threshold")
above.legend(loc="lower center", framealpha=1)
below.plot(thresholds, cuts.n_clusters, "o-", color="black")
below.axhline(np.unique(person).size, color="#555555", lw=1, ls=":")
below.annotate("persons", (thresholds[0], np.unique(person).size), xytext=(0, 4), textcoords="offset points")
below.set(xlabel="threshold of the score", ylabel="clusters")
below.yaxis.set_major_formatter("{x:,.0f}")

# %%
# Between 0.5 and 0.7 both curves are high, and there are about as many clusters as persons. Below, different
# persons merge through chains of pairs; above, the records of one person fall apart.
