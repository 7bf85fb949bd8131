"""Minimum spanning forests on the ranks of MPI (extra ``mpi``), the same as on one machine.

- `input`: each rank reads, streams or generates its part of the edges.
- `spanning_forest`: agree on the graph, choose a strategy, and return each rank's part of the forest.
- `strategies`: the list of strategies. The docstring of each says what a rank sends in a round.
- `communicator`: all messages. `Communicator` counts the bytes and messages of each round.
- `filter_boruvka`: the default strategies. `anzalone`: the strategies of Anzalone et al. (ETH Zürich).
- `replicated_components`, `partitioned_components`: a round, with components known to all ranks or to their
  owners.

The steps between messages are operators on arrays and run on a backend. A rank finds the forest of its own
edges by `boruvka.algorithms`. MPI starts when a function is first called, not when this package is imported.
"""

from boruvka.distributed.forest_part import ForestPart
from boruvka.distributed.input import StreamedPart, kronecker, read, stream
from boruvka.distributed.spanning_forest import minimum_spanning_forest
from boruvka.distributed.strategies import STRATEGIES, Strategy

__all__ = [
    "STRATEGIES", "ForestPart", "Strategy", "StreamedPart", "kronecker", "minimum_spanning_forest", "read",
    "stream",
]  # fmt: skip
