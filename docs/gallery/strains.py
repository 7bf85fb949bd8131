"""
Strains of a bacterium, from allelic profiles
=============================================

Which strains descend from one another, for epidemiologists. A profile is the numbers of the alleles at
seven genes (multilocus sequence typing). Strains that differ at one gene are close relatives, and chains of
close relatives are a clonal complex. The minimum spanning tree under the Hamming distance holds all of
these at once.
"""

import matplotlib.pyplot as plt
import numpy as np

import boruvka

SIZE = 200  # tests: 60

# %%
# Profiles are generated: a strain copies another of its complex, and may change one gene.

rng = np.random.default_rng(4)
founders = rng.integers(0, 1000, size=(9, 7))
profiles = [*founders]
complexes = [[k] for k in range(9)]
while len(profiles) < SIZE:
    relatives = complexes[min(rng.geometric(0.25) - 1, 8)]
    parent = relatives[0] if rng.random() < 0.4 else rng.choice(relatives)  # founders have most descendants
    child = profiles[parent].copy()
    if rng.random() < 0.5:  # else it is equal
        child[rng.integers(7)] = rng.integers(0, 1000)
    relatives.append(len(profiles))
    profiles.append(child)

# %%
# Equal profiles are one vertex. No matrix is made: each distance is computed once, when the solver needs it.
# The real collection of *Staphylococcus aureus* has 10,780 profiles, and its 58 million pairs take half a
# second.

graph = boruvka.Graph.from_profiles(profiles, collapse=True)
tree = boruvka.minimum_spanning_forest(graph)
print("edges by number of differing genes:", dict(enumerate(np.bincount(tree.w).tolist())))

# %%
# Areas count strains, a vertex of strains from several countries is a pie, and numbers at edges are the genes
# that differ.

country = rng.choice(["Czechia", "Germany", "Poland"], SIZE, p=[0.5, 0.3, 0.2])
figure, ax = plt.subplots(figsize=(9, 6), layout="constrained")
tree.plot(colors=country, labels=False, weights=True, ax=ax)
ax.set_title(f"{SIZE} strains of {tree.n} different profiles, by country")

# %%
# Around the founder of each clonal complex are the strains that differ at one gene.
# ``tree.to_html("tree.html", colors=country)`` writes the same tree as a page, on which readers search and
# move a threshold.
