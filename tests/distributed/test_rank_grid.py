"""A square of ranks."""

from math import sqrt

import numpy as np
import pytest

from boruvka.distributed.rank_grid import RankGrid


@pytest.mark.parametrize("ranks", [*range(2, 40), 63, 64, 65, 99])
def test_an_element_reaches_every_destination_in_two_steps(ranks):
    grids = [RankGrid(ranks, rank) for rank in range(ranks)]
    destinations = np.arange(ranks)
    for rank, grid in enumerate(grids):
        along_row = grid.along_row()[0]
        for destination, column, row in zip(
            destinations, grid.column_of(destinations), grid.row_of(destinations), strict=True
        ):
            between = grids[along_row[column]]
            assert between.along_column()[0][row] == destination
            assert between == grids[rank] or destination != rank  # what a rank sends to itself stays there
        for way in (RankGrid.along_row, RankGrid.along_column):
            targets, sources = way(grid)
            assert all(rank in way(grids[x])[1] for x in targets)
            assert all(rank in way(grids[x])[0] for x in sources)
            assert len({*targets, *sources} - {rank}) <= sqrt(ranks) + 2
