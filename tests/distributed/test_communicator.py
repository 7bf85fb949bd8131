"""Collective operations on NumPy arrays, and the square of ranks."""

from math import sqrt

import numpy as np
import pytest

from boruvka.distributed.communicator import RankGrid


@pytest.mark.parametrize("ranks", [1, 2, 3, *(pytest.param(k, marks=pytest.mark.long) for k in (4, 5, 7))])
@pytest.mark.parametrize("max_count", [None, 2], ids=["large counts", "in pieces"])
@pytest.mark.parametrize("two_steps", [False, True], ids=["at once", "two steps"])
def test_collectives(on_ranks, ranks, max_count, two_steps):
    returned = on_ranks(ranks, "send", (3, max_count, two_steps))
    values = np.array([here["values"] for here in returned])
    few = [x for rank in range(ranks) for x in range(rank)]
    for rank, here in enumerate(returned):
        assert np.array_equal(here["minimum"], values.min(axis=0))
        assert np.array_equal(here["maximum"], values.max(axis=0))
        assert np.array_equal(here["sum"], values.sum(axis=0))
        assert (here["sum of"], here["max of"]) == (sum(range(ranks)), ranks - 1)
        assert here["any"] is True
        assert here["numbers"].tolist() == [r * r for r in range(ranks)]
        assert [column.tolist() for column in here["all gathered"]] == [few, few]
        assert here["gathered"][0].tolist() == (few if rank == 0 else [])
        expected = [
            pair
            for there in returned
            for pair, to in zip(pairs(there["columns"]), there["destination"], strict=True)
            if to == rank
        ]
        exchanged = pairs(here["exchanged"])
        assert (sorted(exchanged) == sorted(expected)) if two_steps else (exchanged == expected)
        assert np.array_equal(
            here["answers"], here["questions"] * np.uint64(10) + here["owners"].astype("u8")
        )
        assert (here["sent"]["bytes"] > 0) == (ranks > 1)


def pairs(columns):
    """Return the elements of two parallel arrays."""
    return list(zip(*(column.tolist() for column in columns), strict=True))


@pytest.mark.long
def test_counts_of_more_than_31_bits(on_ranks):
    """Takes 16 GB."""
    size = 2**31 + 9
    first, second = on_ranks(2, "send_many", size)
    assert first == ([0, 2, 1], (5, [0, 0, 0]), (size + 5, [0, 2, 1, 0, 0]))
    assert second == ([0, 2, 1], (size, [0, 2, 1]), (size + 5, [0, 2, 1, 0, 0]))


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
