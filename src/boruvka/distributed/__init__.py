"""From one machine to a cluster: the same forests on the ranks of MPI (extra ``mpi``).

How a graph is dealt to ranks and how components merge. How a forest is found on one rank is the business of
`boruvka.algorithms`. The steps between messages are functions of arrays and know no communicator; `world`
alone speaks MPI.
"""

from boruvka.distributed.forest_part import ForestPart
from boruvka.distributed.partitioned_input import kronecker, read
from boruvka.distributed.solve import minimum_spanning_forest
from boruvka.distributed.strategies import STRATEGIES, Strategy

__all__ = ["STRATEGIES", "ForestPart", "Strategy", "kronecker", "minimum_spanning_forest", "read"]
