"""Clustering estimators for scikit-learn: `SingleLinkage` and `HDBSCAN` (extra ``sklearn``).

Inside this package, ``sklearn`` is scikit-learn.
"""

from boruvka.runtime.libraries import require

require("sklearn", "sklearn")

from boruvka.sklearn.hdbscan import HDBSCAN  # noqa: E402
from boruvka.sklearn.single_linkage import SingleLinkage  # noqa: E402
from boruvka.trees.clusters.comparison import ClusterComparison  # noqa: E402
from boruvka.trees.clusters.condensed_tree import CondensedTree  # noqa: E402
from boruvka.trees.clusters.single_linkage_tree import SingleLinkageTree  # noqa: E402

__all__ = ["HDBSCAN", "ClusterComparison", "CondensedTree", "SingleLinkage", "SingleLinkageTree"]
