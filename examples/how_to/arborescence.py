"""A transmission tree, as a minimum spanning arborescence."""

import numpy as np

import boruvka

rng = np.random.default_rng(3)
cases, loci = 60, 300
genomes = np.zeros((cases, loci), int)
source = np.zeros(cases, int)
for case in range(1, cases):
    source[case] = rng.integers(max(0, case - 12), case)
    genomes[case] = genomes[source[case]] ^ (rng.random(loci) < 0.01)

earlier, later = np.triu_indices(cases, 1)
mutations = (genomes[earlier] != genomes[later]).sum(axis=1)
tree = boruvka.minimum_spanning_arborescence((earlier, later, mutations), root=0)
print(tree, "optimal:", tree.verify())

found = earlier[tree.parent_edge[1:]]
print(f"{np.mean(found == source[1:]):.0%} of the cases have the right source")

arcs = [("Ann", "Bob", 4), ("Bob", "Ann", 1), ("Bob", "Cy", 3), ("Cy", "Bob", 2)]
best = boruvka.minimum_spanning_arborescence(arcs)
print(best)

tree.plot(colors=np.arange(cases), labels=True, weights=True).figure.savefig("cases.png", dpi=150)
