"""One sort of all edges: in one loop or in steps, with lists that are sorted or marked."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import generators
from boruvka.algorithms.kruskal import ascending
from boruvka.backends.primitives import Backend
from boruvka.backends.tuning import Tuning
from tests import oracles
from tests.algorithms.solving import solve
from tests.strategies import graphs


@given(graph=graphs(), maximum=st.booleans(), in_one_loop=st.booleans(), marks=st.booleans())
def test_edges_are_those_of_the_oracle_in_one_loop_and_in_steps(graph, maximum, in_one_loop, marks):
    tuning = Tuning(fusing_pays_below=1000 * in_one_loop, marking_pays_from=0 if marks else 1000)
    edges, (only,) = solve(graph, "kruskal", Backend(tuning=tuning), maximum)
    assert edges == oracles.kruskal(graph.n, graph.u, graph.v, graph.w, maximum)
    assert list(only.seconds) == (["sort and join"] if in_one_loop else ["sort", "join", "list"])


@given(st.sets(st.integers(0, 99)), st.booleans(), st.randoms())
def test_edges_are_listed_in_order(edges, marks, random):
    shuffled = list(edges)
    random.shuffle(shuffled)
    backend = Backend(tuning=Tuning(marking_pays_from=0 if marks else 1000))
    listed = ascending(np.array(shuffled, np.uint64), 100, backend)
    assert listed.tolist() == sorted(edges)
    assert listed.dtype == np.int64


@pytest.mark.parametrize(("n", "m"), [(99, 100), (101, 50)])
def test_the_limit_of_one_loop_holds_for_edges_and_vertices(n, m):
    graph = generators.random(n, m, seed=1)
    _, (only,) = solve(graph, "kruskal", Backend(tuning=Tuning(fusing_pays_below=100)))
    assert "sort and join" not in only.seconds
