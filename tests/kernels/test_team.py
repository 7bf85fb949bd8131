import itertools
import threading

import pytest

from boruvka.kernels.team import map_parts, map_ranges


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_results_are_in_the_order_of_the_parts(threads):
    assert map_parts(lambda x: x * x, iter(range(50)), threads) == [x * x for x in range(50)]
    assert map_parts(lambda x: x, [], threads) == []


@pytest.mark.parametrize("threads", [2, 3])
def test_several_threads_run_at_once(threads):
    met = threading.Barrier(threads)
    assert map_parts(lambda _: met.wait(60) >= 0, range(threads), threads) == [True] * threads


@pytest.mark.parametrize("threads", [1, 4])
def test_an_error_drops_the_remaining_parts(threads):
    begun = []

    def run(part):
        begun.append(part)
        raise ValueError(part)

    with pytest.raises(ValueError, match=r"\d"):
        map_parts(run, range(1000), threads)
    assert len(begun) <= threads


def test_a_part_may_use_the_pool_itself():
    def inner(x):
        return sum(map_parts(lambda y: x * y, range(10), 2))

    assert map_parts(inner, range(8), 2) == [45 * x for x in range(8)]


@pytest.mark.parametrize("size", [0, 1, 2, 5, 1000])
def test_ranges_cover_everything_once(size):
    elements = list(range(size))
    assert list(itertools.chain(*map_ranges(lambda here: elements[here], size))) == elements
