"""Clusters of duplicate records at many thresholds, from Splink's predictions (pip install splink).

Splink compares pairs of records. One maximum forest of its pairs has the clusters at all thresholds.
"""

import dask.dataframe as dd
import numpy as np
import pandas as pd
from splink import Linker, SettingsCreator, block_on
from splink import comparison_library as cl
from splink.backends.duckdb import DuckDBAPI

from boruvka import dask as on_dask

rng = np.random.default_rng(1)
people = rng.integers(0, 400, 1000)  # a thousand records of 400 people, with mistakes
records = pd.DataFrame(
    {
        "unique_id": [f"record {k:04}" for k in range(people.size)],
        "name": [f"name{x % 90}" if rng.random() < 0.9 else f"nmae{x % 90}" for x in people],
        "town": [f"town{x % 30}" if rng.random() < 0.9 else "unknown" for x in people],
        "born": [f"19{x % 100:02}-0{x % 9 + 1}-11" if rng.random() < 0.9 else "1900-01-01" for x in people],
    }
)
settings = SettingsCreator(
    link_type="dedupe_only",
    comparisons=[
        cl.JaroWinklerAtThresholds("name", [0.9]),
        cl.ExactMatch("town"),
        cl.ExactMatch("born"),
    ],
    blocking_rules_to_generate_predictions=[block_on("name"), block_on("born")],
    probability_two_random_records_match=0.002,
)
linker = Linker(DuckDBAPI().register(records), settings, log_level=40)
linker.training.estimate_u_using_random_sampling(max_pairs=1e5)
linker.training.estimate_parameters_using_expectation_maximisation(block_on("born"))
linker.training.estimate_parameters_using_expectation_maximisation(block_on("name"))
pairs = linker.inference.predict(threshold_match_probability=0.05)

frame = dd.from_pandas(pairs.as_pandas_dataframe(), npartitions=4)
forest = on_dask.minimum_spanning_forest(
    frame, source="unique_id_l", target="unique_id_r", weight="match_probability", maximum=True
)
thresholds = [0.5, 0.9, 0.99]
clusters = forest.clusters(thresholds).compute()
print(clusters.head())
print(forest.sizes(thresholds).compute().groupby("height").cluster.count())

for threshold, column in zip(thresholds, clusters.columns[1:], strict=True):  # Splink finds the same
    found = linker.clustering.cluster_pairwise_predictions_at_threshold(
        pairs, threshold_match_probability=threshold
    )
    expected = found.as_pandas_dataframe().set_index("unique_id")["cluster_id"]
    theirs = expected.reindex(clusters["vertex"]).tolist()  # they call a cluster by another of its records
    both = set(zip(clusters[column], theirs, strict=True))
    assert len(both) == clusters[column].nunique() == len(set(theirs))
