"""Allelic profiles of strains, from a table to a picture and to the files of other programs."""

import warnings

import numpy as np
import pandas as pd
from scipy.spatial.distance import squareform

import boruvka

rng = np.random.default_rng(4)
founders = rng.integers(1, 300, size=(6, 7))
profiles = founders[rng.integers(0, 6, 120)]
changed = rng.random(profiles.shape) < 0.06
profiles[changed] = rng.integers(1, 300, changed.sum())
profiles[rng.random(profiles.shape) < 0.01] = 0  # no allele was called
loci = ["arcC", "aroE", "glpF", "gmk", "pta", "tpi", "yqiL"]
strains = pd.DataFrame(profiles, columns=loci, index=[f"SA{k}" for k in range(120)])
country = pd.Series(rng.choice(["CZ", "DE", "FR"], 120), index=strains.index, name="country")

try:
    boruvka.Graph.from_profiles(strains)
except boruvka.GraphError as error:
    print(error)

graph = boruvka.Graph.from_profiles(strains, missing="ignore", collapse=True)
sizes = graph.profiles.sizes
print(len(strains), "strains,", graph.n, "different profiles, the most frequent of", sizes.max())

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    tree = boruvka.minimum_spanning_forest(graph)
print(tree.to_pandas().head(3))

print(said[0].message)
groups = tree.collapse_at(0)
print(groups.n, "groups, the largest of", groups.graph.profiles.sizes.max(), "strains")

everyone = boruvka.Graph.from_profiles(strains, missing="ignore")
everyone_tree = boruvka.minimum_spanning_forest(everyone)
print(everyone_tree.nearest(["SA42", "SA61"]).to_string(index=False))

distances = pd.DataFrame(squareform(everyone.w), everyone.names, everyone.names)
between = distances.loc[country == "CZ", country == "DE"].stack()
print(between.idxmin(), between.min())

complexes = tree.cut_at(1)
print(np.bincount(complexes, weights=sizes).max(), "strains in the largest clonal complex")

support = everyone_tree.support(1, samples=100, seed=0)
print(support.nlargest(4, "size").to_string(index=False))

axes = groups.plot(colors=country, labels=False, weights=True)
axes.figure.savefig("strains.png", dpi=150)

nodes = tree.to_nodes({"country": country})
nodes.to_csv("nodes.csv", index=False)
tree.to_pandas().to_csv("edges.csv", index=False)
print(nodes.head(3))

boruvka.write(groups, "tree.graphml", metadata=country)

first_strains = boruvka.Graph.from_profiles(strains[:40], missing="ignore")
last_week = boruvka.minimum_spanning_forest(first_strains).clusters([1, 5], addresses=True)
reversed_rows = boruvka.Graph.from_profiles(strains.iloc[::-1], missing="ignore")
this_week = boruvka.minimum_spanning_forest(reversed_rows).clusters(
    [1, 5], previous=last_week, addresses=True
)
print(this_week["change_1"].value_counts().to_dict())
print(this_week[this_week["change_1"] == "joined"].head(3).to_string(index=False))

with open("strains.nwk", "w") as file:
    file.write(tree.to_newick())
print(tree.to_newick()[:60], "...")
print(tree.to_newick(linkage=True)[:60], "...")

types = pd.DataFrame({"arcC": [1, 1, 3], "aroE": [1, 2, 3]}, index=pd.Index(["1", "5", "22"], name="ST"))
isolates = pd.DataFrame({"ST": ["22", "1", "1"], "country": ["PT", "CZ", "PT"]}, index=["i1", "i2", "i3"])
of_isolates = types.loc[isolates["ST"]].set_axis(isolates.index)
tree_of_isolates = boruvka.minimum_spanning_forest(boruvka.Graph.from_profiles(of_isolates, collapse=True))
tree_of_isolates.to_html("isolates.html", colors="country", metadata=isolates)
