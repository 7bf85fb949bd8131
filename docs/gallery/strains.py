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

SIZE = 400  # tests: 60

# %%
# Profiles are generated: a strain copies another of its complex and changes one gene.

rng = np.random.default_rng(4)
founders = rng.integers(0, 1000, size=(9, 7))
profiles = [*founders]
complexes = [[k] for k in range(9)]
while len(profiles) < SIZE:
    relatives = complexes[min(rng.geometric(0.25) - 1, 8)]
    parent = relatives[0] if rng.random() < 0.4 else rng.choice(relatives)  # founders have most descendants
    child = profiles[parent].copy()
    child[rng.integers(7)] = rng.integers(0, 1000)
    relatives.append(len(profiles))
    profiles.append(child)

# %%
# No matrix is made: each distance is computed once, when the solver needs it. The real collection of
# *Staphylococcus aureus* has 10,780 profiles, and its 58 million pairs take half a second.

graph = boruvka.Graph.from_points(np.array(profiles), "hamming")
tree = boruvka.minimum_spanning_forest(graph)
print("edges by number of differing genes:", dict(enumerate(np.bincount(tree.w).tolist())))

# %%
# Edges of weight 1 join single-locus variants. They connect the clonal complexes.

close = tree.w == 1
variants = boruvka.Graph.from_edges(tree.u[close], tree.v[close], tree.w[close], n=SIZE)
figure, ax = plt.subplots(figsize=(7, 5.6), layout="constrained")
boruvka.minimum_spanning_forest(variants).plot(by="component", ax=ax)
ax.set_title(f"{SIZE} strains: clonal complexes, joined by changes of one gene")
ax.get_legend().remove()  # it counts the strains of each complex

# %%
# Each drawing is a clonal complex: a star of strains around the founder, with branches of strains that
# changed again.
