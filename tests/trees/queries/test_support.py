"""Support of clusters of profiles: against SciPy with the same loci, and against known probabilities."""

import numpy as np
import pandas as pd
import pytest
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import pdist

import boruvka
from boruvka import Graph, GraphError, OptionError


def forest_of(profiles, **how):
    return boruvka.minimum_spanning_forest(Graph.from_profiles(profiles, **how))


def members(labels):
    return {frozenset(np.flatnonzero(labels == x).tolist()) for x in labels}


@pytest.mark.parametrize("collapse", [False, True])
def test_samples_of_loci(collapse):
    """The same loci are drawn, and clusters are those of SciPy; constant loci count where loci are drawn."""
    rng = np.random.default_rng(5)
    profiles = rng.integers(1, 3, (12, 9))[rng.integers(0, 12, 20)]
    profiles[:, 6:] = 4
    again, random = [], np.random.default_rng(3)
    for _ in range(20):
        drawn = profiles[:, random.integers(0, 9, 9)]
        again.append(members(fcluster(linkage(pdist(drawn, "hamming") * 9, "single"), 1.5, "distance")))
    labels = forest_of(profiles).cut_at(1)
    clusters = sorted(members(labels), key=min)
    found = forest_of(profiles, collapse=collapse).support(1, samples=20, seed=3)
    assert found["cluster_1"].tolist() == [min(x) for x in clusters]
    assert found["size"].tolist() == list(map(len, clusters))
    assert found["support"].tolist() == [sum(x in each for each in again) / 20 for x in clusters]


@pytest.mark.parametrize("missing", ["ignore", "scale", "differ"])
def test_known_probabilities(missing):
    """A and B differ at one locus of six: it is in a sample with the probability 1 - (5/6)**6."""
    strains = pd.DataFrame([[1] * 6, [1] * 5 + [2], [3] * 6, [3] * 5 + [0]], index=list("ABCD"))
    strains.columns = [f"l{k}" for k in range(6)]
    found = forest_of(strains, missing=missing).support(0, samples=300).set_index("cluster_0")
    assert abs(found["support"]["A"] - (1 - (5 / 6) ** 6)) < 0.11
    assert found["support"]["A"] == found["support"]["B"]
    assert found["size"].tolist() == ([1, 1, 1, 1] if missing == "differ" else [1, 1, 2])
    if missing != "differ":  # no sample has a locus at which C and D differ
        assert found["support"]["C"] == 1


def test_other_graphs():
    forest = forest_of({"A": "ACA", "B": "ACC", "C": "CCC"})
    edges = boruvka.minimum_spanning_forest([("a", "b", 1)])
    required = boruvka.minimum_spanning_forest(forest.graph, required=[1])
    for other in edges, forest.collapse_at(1), required:
        with pytest.raises(GraphError, match=r"support draws loci: solve boruvka.Graph.from_profiles"):
            other.support(1)
    with pytest.raises(OptionError, match="samples must be an integer 1 or more"):
        forest.support(1, samples=0)
