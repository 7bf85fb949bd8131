"""Stars, coins and searches by component."""

import pytest

from boruvka import OptionError, generators
from boruvka.backends.primitives import Backend
from boruvka.backends.tuning import Tuning
from tests.algorithms.solving import solve

STARS = ["star-contraction", "component-star-contraction"]
BY_COMPONENT = ["component-edge-contraction", "component-star-contraction"]


@pytest.mark.parametrize("options", [{}, {"sequential_flips": True}, {"seed": 7}], ids=str)
@pytest.mark.parametrize("algorithm", STARS)
def test_stars_need_more_rounds_and_find_the_same(graph, edges, algorithm, options):
    found, rounds = solve(graph, algorithm, Backend(), **options)
    assert found == edges
    _, by_edge = solve(graph, "edge-contraction", Backend())
    assert 2 * len(by_edge) < len(rounds) < 6 * len(by_edge)


def test_coins_are_seeded():
    graph = generators.random(200, 800, seed=5)

    def components(**options):
        return [r.n_components for r in solve(graph, "star-contraction", Backend(), **options)[1]]

    assert components(seed=1) == components(seed=1) != components(seed=2)
    assert components(seed=1, sequential_flips=True) == components(seed=1, sequential_flips=True)


@pytest.mark.parametrize("algorithm", BY_COMPONENT)
def test_a_search_by_component_refuses_large_graphs(algorithm):
    path = generators.path(20_001, seed=1)
    with pytest.raises(OptionError, match="20001 vertices are more than 20000; choose another algorithm"):
        solve(path, algorithm, Backend())
    star, backend = generators.star(41, seed=1), Backend(tuning=Tuning(quadratic_up_to=40))
    with pytest.raises(OptionError, match="41 vertices are more than 40"):
        solve(star, algorithm, backend)
    assert solve(star, algorithm, backend, force=True)[0] == list(range(40))
