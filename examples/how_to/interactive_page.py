"""A page on which readers move, search and choose colours: one file of HTML."""

import numpy as np
import pandas as pd

import boruvka

rng = np.random.default_rng(6)
founders = rng.integers(1, 300, size=(12, 7))
profiles = founders[rng.integers(0, 12, 500)]
changed = rng.random(profiles.shape) < 0.08
profiles[changed] = rng.integers(1, 300, changed.sum())
loci = ["arcC", "aroE", "glpF", "gmk", "pta", "tpi", "yqiL"]
strains = pd.DataFrame(profiles, columns=loci, index=[f"SA{k}" for k in range(500)])
metadata = pd.DataFrame(
    {
        "country": rng.choice(["CZ", "DE", "FR", "PL"], 500, p=[0.4, 0.3, 0.2, 0.1]),
        "year": rng.integers(1995, 2025, 500),
        "host": rng.choice(["human", "cattle", None], 500),
    },
    index=strains.index,
)

tree = boruvka.minimum_spanning_forest(boruvka.Graph.from_profiles(strains, collapse=True))
tree.to_html("tree.html", colors="country", metadata=metadata)
print(len(strains), "strains at", tree.n, "vertices")

groups = tree.cut_at(1)
print(groups.max() + 1, "groups at weights up to 1")

strains.to_csv("profiles.csv", index_label="strain")
metadata[::-1].to_csv("metadata.csv", index_label="strain")
