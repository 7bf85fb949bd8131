"""An engine for tests, graphs as tables in parts, and the comparison with the forest found in memory."""

import pickle
import random
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest

import boruvka
from boruvka.stream import bottleneck_filter
from boruvka.stream.remote import driver, tasks
from boruvka.stream.remote.frame_forest import FrameForest
from boruvka.stream.remote.names import merged, names_of_part
from boruvka.stream.remote.reading import ColumnNames
from boruvka.stream.remote.tasks import Engine, run_task
from tests.oracles import kruskal

COLUMNS = ColumnNames("u", "v", "w")


def sent(value):
    """Copy a value as Dask sends it: arrays lie at any offset of a buffer."""
    buffers = []
    pickled = pickle.dumps(value, 5, buffer_callback=buffers.append)
    return pickle.loads(pickled, buffers=[memoryview(b"-" + bytes(buffer.raw()))[1:] for buffer in buffers])


class Tables(Engine):
    """Tables as parts. Each task runs twice, as if a worker was lost, and all that travels is pickled."""

    name = "tables"

    def __init__(self, parts, batch=3):
        self.parts, self._tables, self._batch = len(parts), parts, batch

    def map(self, task, shared):
        order = list(range(self.parts))
        random.Random(self.parts).shuffle(order)
        for part in order:
            first, second = (self._answer(task, part, sent(shared)) for _ in range(2))
            assert pickle.dumps(first) == pickle.dumps(second)
            yield part, sent(first)

    def _answer(self, task, part, shared):
        return run_task(task, part, lambda columns: self._read(part, columns), shared)

    def _read(self, part, columns):
        for batch in self._tables[part].select(columns).to_batches(max_chunksize=self._batch):
            yield f"part {part}", sent(batch)

    def collect_names(self, shared):
        return merged([table for _, table in self.map(names_of_part, shared)])


def split(table, parts):
    """Split a table into parts of different sizes, one of them empty if there are several."""
    cuts = sorted({0, table.num_rows, *(table.num_rows * k * k // parts**2 for k in range(parts))})
    tables = [table.slice(a, b - a) for a, b in pairwise(cuts)]
    return [*tables[:1], table.slice(0, 0), *tables[1:]] if parts > 1 else tables or [table]


def solve(parts, columns=COLUMNS, batch=3, **options):
    engine = Tables(parts, batch)
    solved = driver.minimum_spanning_forest(engine, columns, **options)
    return FrameForest(solved, columns, lambda table: table)


def assert_same_edges(found, graph, maximum=False):
    """Check a forest of numbered vertices: edges, ends, weights and their type, total, counts."""
    expected = boruvka.minimum_spanning_forest(graph, maximum=maximum)
    assert expected.edges.tolist() == kruskal(graph.n, graph.u, graph.v, graph.w, maximum)
    forest = found.forest
    for name in "edges", "u", "v":
        assert getattr(forest, name).tolist() == getattr(expected, name).tolist()
    assert (forest.w.dtype, forest.w.tobytes()) == (expected.w.dtype, expected.w.tobytes())
    assert (len(found), found.weight) == (len(expected), expected.weight) or np.isnan(expected.weight)
    assert (forest.n, forest.graph.m) == (graph.n, graph.m)


def assert_same_clusters(found, expected, clusters):
    """Check names, their numbers, and clusters at 50, of which a frame has a row per vertex."""
    assert found.forest.graph.names.tolist() == expected.graph.names.tolist()
    assert found.forest.labels.tolist() == expected.labels.tolist()
    labels, names = expected.cut_at(50), expected.graph.names
    assert list(clusters["vertex"]) == names.tolist()
    assert list(clusters["cluster_50"]) == [names[np.flatnonzero(labels == label)[0]] for label in labels]


@pytest.fixture
def tiny_limits(monkeypatch):
    """Let small graphs be sampled, guarded and solved as large ones are."""
    monkeypatch.setattr(driver, "TWO_PASSES_PAY_AT", 0.0)
    monkeypatch.setattr(driver, "LIGHT_PER_VERTEX", 0.5)
    monkeypatch.setattr(driver, "PENDING_PER_VERTEX", 0)
    monkeypatch.setattr(driver, "FEWEST_PENDING", 5)
    monkeypatch.setattr(tasks, "SAMPLED", 2)
    monkeypatch.setattr(bottleneck_filter, "LEVELS", 3)
    monkeypatch.setattr(bottleneck_filter, "SAMPLE", 4)


def random_table(n=50, m=700, seed=0, distinct=30, w=np.int64):
    """Return a random graph with ties, loops and parallel edges, as a table."""
    rng = np.random.default_rng(seed)
    u, v = rng.integers(0, n, (2, m))
    return pa.table({"u": u, "v": v, "w": rng.integers(0, distinct, m).astype(w)})


def graph_of(table, n=None):
    return boruvka.Graph.from_edges(*(table[name].to_numpy() for name in "uvw"), n=n)
