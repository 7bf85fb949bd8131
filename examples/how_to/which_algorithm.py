"""Choose an algorithm, or let the solver choose."""

import boruvka

grid = boruvka.generators.grid(700, 700, seed=1)
random = boruvka.generators.random(100_000, 1_000_000, seed=1)
for graph in (grid, random):
    print(boruvka.minimum_spanning_forest(graph).algorithm)

names = ["kruskal", "filter-boruvka", "boruvka", "csr-contraction", "prim"]
forests = [boruvka.minimum_spanning_forest(random, algorithm=name) for name in names]
print({forest.edges.tobytes() == forests[0].edges.tobytes() for forest in forests})

options = {"seed": 7}
slow = boruvka.minimum_spanning_forest(random, algorithm="star-contraction", options=options)
print(slow.weight == forests[0].weight)
