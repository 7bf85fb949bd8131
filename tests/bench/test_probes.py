import numpy as np
import pytest

from boruvka import Graph
from boruvka.bench.contestants.probes import PROBES


@pytest.mark.parametrize("dtype", ["f2", "f4", "i8", np.longdouble])
@pytest.mark.parametrize(("threads", "m"), [(1, 0), (3, 5), (3, 50_001)])
def test_probes_read_everything(dtype, threads, m):
    random = np.random.default_rng(0)
    u, v = random.integers(0, 77, (2, m))
    graph = Graph(77, u, v, np.ones(m, dtype))
    streaming, gathering = (probe() for probe in PROBES)
    for probe in streaming, gathering:
        probe.load(threads)
    native = streaming.prepare(graph)
    found = [np.bitwise_xor.reduce(np.array(parts, np.uint64)) for parts in streaming.solve(native)]
    assert [word.tolist() for word in found] == [
        np.bitwise_xor.reduce(words, initial=0).tolist() for words in native.words
    ]
    native = gathering.prepare(graph)
    native.words[0][:] = np.arange(77)
    assert sum(gathering.solve(native)) == (graph.u ^ graph.v).sum()
