"""What changes for a program that uses the hdbscan library."""

import hdbscan
import numpy as np
import pandas as pd
from sklearn.datasets import make_blobs

from boruvka.sklearn import HDBSCAN

points = make_blobs(3000, centers=6, random_state=2)[0]

theirs = hdbscan.HDBSCAN(min_cluster_size=25, min_samples=10, approx_min_span_tree=False).fit(points)
ours = HDBSCAN(min_cluster_size=25, min_samples=11).fit(points)
heights = [np.sort(model.single_linkage_tree_.to_numpy()[:, 2]) for model in (theirs, ours)]
print("merges at the same distances:", np.allclose(*heights))

print(pd.crosstab(theirs.labels_, ours.labels_, rownames=["theirs"], colnames=["ours"]))

print(ours.compare_min_cluster_sizes([5, 25, 100, 250, 600]))
