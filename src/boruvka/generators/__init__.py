"""Random and regular graphs for tests and benchmarks, reproducible from a seed: one file for each family.

Edge ``i`` of a graph depends only on the arguments, the seed and ``i``, never on the number of threads or
processes.
"""

from boruvka.generators.complete import complete
from boruvka.generators.family import Family, Parameter
from boruvka.generators.geometric import geometric, geometric_points
from boruvka.generators.grid import grid
from boruvka.generators.kronecker import kronecker, kronecker_edges
from boruvka.generators.path import path
from boruvka.generators.random import random, random_edges
from boruvka.generators.rmat import rmat, rmat_edges
from boruvka.generators.ssca2 import ssca2, ssca2_cliques
from boruvka.generators.star import star

__all__ = [
    "FAMILIES",
    "Family",
    "Parameter",
    "complete",
    "geometric",
    "geometric_points",
    "grid",
    "kronecker",
    "kronecker_edges",
    "path",
    "random",
    "random_edges",
    "rmat",
    "rmat_edges",
    "ssca2",
    "ssca2_cliques",
    "star",
]

FAMILIES = {
    family.name: family
    for family in (
        Family(kronecker, "Graph500 specification 2.0, section 3"),
        Family(rmat, "Chakrabarti, Zhan, Faloutsos, SDM 2004"),
        Family(random, "Erdős, Rényi, 1959; pairs with repetition as in GTgraph"),
        Family(ssca2, "Bader, Madduri, HiPC 2005; GTgraph"),
        Family(grid, "Bader, Cong, J. Parallel Distrib. Comput. 66, 2006"),
        Family(geometric, "Penrose, Random Geometric Graphs, 2003"),
        Family(complete, "every pair of vertices"),
        Family(star, "one vertex joined to all others"),
        Family(path, "one line of vertices"),
    )
}
