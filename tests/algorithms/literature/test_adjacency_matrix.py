"""Ranges of components, one for each thread."""

from boruvka.backends.threads import Threads
from tests.algorithms.solving import solve
from tests.conftest import ALWAYS_SHARED


def test_ranges_are_noted(graph, edges):
    found, rounds = solve(graph, "component-ranges", Threads(3, ALWAYS_SHARED))
    assert found == edges
    assert rounds[0].notes[:3] == [
        "thread 0: components 0 to 100",
        "thread 1: components 100 to 200",
        "thread 2: components 200 to 300",
    ]
    assert sum(int(r.notes[-1].split()[0]) for r in rounds) == len(edges)
