"""Random and regular graphs for tests and measurements, reproducible from a seed.

Edge ``i`` of a graph depends only on the arguments, the seed and ``i``, never on the number of threads or
processes.
"""

from boruvka.generators.classics import complete, path, random, star
from boruvka.generators.family import Family, Parameter
from boruvka.generators.geometric import geometric, geometric_points
from boruvka.generators.grid import grid
from boruvka.generators.rmat import kronecker, kronecker_edges, rmat

__all__ = [
    "FAMILIES", "Family", "Parameter", "complete", "geometric", "geometric_points", "grid", "kronecker",
    "kronecker_edges", "path", "random", "rmat", "star",
]  # fmt: skip

FAMILIES = {
    family.name: family
    for family in (
        Family(kronecker, "Graph500 specification 2.0, section 3"),
        Family(rmat, "Chakrabarti, Zhan, Faloutsos, SDM 2004"),
        Family(random, "Erdős, Rényi, 1959; pairs with repetition as in GTgraph"),
        Family(grid, "Bader, Cong, J. Parallel Distrib. Comput. 66, 2006"),
        Family(geometric, "Penrose, Random Geometric Graphs, 2003"),
        Family(complete, "every pair of vertices"),
        Family(star, "one vertex joined to all others"),
        Family(path, "one line of vertices"),
    )
}
