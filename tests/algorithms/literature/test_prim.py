"""One tree at a time: the heap against Python's."""

import heapq

from hypothesis import given
from hypothesis import strategies as st

from boruvka.backends.primitives import Backend
from tests import oracles
from tests.algorithms.solving import solve
from tests.strategies import INTEGERS, graphs


def by_heapq(graph, maximum):
    """Grow trees with a heap of edges."""
    neighbours = [[] for _ in range(graph.n)]
    for i, (a, b, w) in enumerate(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True)):
        neighbours[a].append((-w if maximum else w, i, b))
        neighbours[b].append((-w if maximum else w, i, a))
    seen, chosen = set(), []
    for start in range(graph.n):
        heap = [(0, -1, start)]
        while heap:
            _, i, x = heapq.heappop(heap)
            if x not in seen:
                seen.add(x)
                chosen += [i] if i >= 0 and x != start else []
                for item in neighbours[x]:
                    heapq.heappush(heap, item)
    return sorted(chosen)


@given(graph=graphs(max_vertices=25, max_edges=80, dtypes=INTEGERS), maximum=st.booleans())
def test_edges_are_those_of_a_heap_of_edges(graph, maximum):
    edges, rounds = solve(graph, "prim", Backend(), maximum)
    assert edges == by_heapq(graph, maximum) == oracles.kruskal(graph.n, graph.u, graph.v, graph.w, maximum)
    assert len(rounds) == 1
