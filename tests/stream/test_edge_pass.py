import threading

import numpy as np
import pytest
from hypothesis import given

from boruvka.formats.edge_file import EdgeBatch
from boruvka.interop.missing_values import RowCounts
from boruvka.stream.bottleneck_filter import build_filter
from boruvka.stream.edge_pass import ROW_BITS, EdgePass, PassProgress, StreamedForest, surviving
from boruvka.stream.indexed_edges import IndexedEdges
from boruvka.stream.numbering import Numbering
from boruvka.stream.sources.source import EdgeSource, checked_batch
from tests.oracles import kruskal
from tests.strategies import graphs
from tests.stream.helpers import random_graph


class Chunks(EdgeSource):
    """The edges of a graph in chunks of seven, read three at a time; it row_counts which are read."""

    name, rows_at_once = "chunks", 3

    def __init__(self, graph, *, has_bounds=False):
        self.graph, self.n, self.m = graph, graph.n, graph.m
        self.chunks = -(-graph.m // 7)
        self.has_bounds, self.read_chunks, self.is_closed = has_bounds, [], False

    def read(self, chunk):
        self.read_chunks.append(chunk)
        for begin in range(7 * chunk, min(7 * chunk + 7, self.m), 3):
            end = min(begin + 3, 7 * chunk + 7, self.m)
            yield checked_batch("here", EdgeBatch(*self.graph.edges_in_range(begin, end)), self.n, 10)

    def bounds(self, chunk):
        w = self.graph.w[7 * chunk : 7 * chunk + 7]
        return (w.size, w.min(), w.max()) if self.has_bounds else None

    def dtype(self, chunk):
        return self.graph.dtype

    def close(self):
        self.is_closed = True


def pass_all(source, passed=None, threads=1, maximum=False, is_merged_at_once=False):
    forest = StreamedForest(source.n, maximum, lambda n: 5)
    passed = passed or PassProgress.nothing(source.chunks)

    def on_batch(is_merged):
        if is_merged_at_once and not is_merged:
            forest.merge_pending()

    EdgePass(source, forest, Numbering(), passed).run(threads, on_batch)
    forest.merge_pending(needs_filter=False)
    return forest.forest, passed, int(passed.bytes_read[0])


def indices(edges):
    return sorted((7 * (edges >> ROW_BITS) + (edges & ((1 << ROW_BITS) - 1))).tolist())


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("has_bounds", [False, True])
def test_all_edges_pass(threads, has_bounds):
    graph = random_graph(20, 100)
    source = Chunks(graph, has_bounds=has_bounds)
    found, passed, size = pass_all(source, threads=threads, is_merged_at_once=True)
    assert indices(found.indices) == kruskal(graph.n, graph.u, graph.v, graph.w, False)
    assert passed.complete.all()
    assert passed.rows.tolist() == [7] * 14 + [2]
    assert source.is_closed
    assert has_bounds or (sorted(source.read_chunks), size) == (list(range(15)), 430)


def test_what_has_passed_is_not_given_again():
    graph = random_graph(20, 100)
    passed = PassProgress.nothing(15)._replace(
        rows=np.array([7] * 13 + [4, 0]), complete=np.array([True] * 13 + [False] * 2)
    )
    found, passed, _ = pass_all(Chunks(graph), passed)
    assert passed.rows.sum() == 100
    rest = [*range(95, 100)]
    assert indices(found.indices) == [
        rest[k] for k in kruskal(graph.n, graph.u[rest], graph.v[rest], graph.w[rest], False)
    ]


def test_heavy_chunks_are_not_read():
    graph = random_graph(5, 100)
    order = np.argsort(graph.w, kind="stable")
    sorted_graph = type(graph)(5, *graph.take(order))
    source = Chunks(sorted_graph, has_bounds=True)
    assert pass_all(source)[1].rows.sum() == 100
    assert len(source.read_chunks) < 10
    backwards = Chunks(sorted_graph, has_bounds=True)
    pass_all(backwards, maximum=True)
    assert backwards.read_chunks[0] == 14


def test_a_heavy_chunk_that_was_begun_is_counted_once():
    graph = random_graph(5, 100)
    source = Chunks(type(graph)(5, *graph.take(np.argsort(graph.w, kind="stable"))), has_bounds=True)
    passed = PassProgress.nothing(source.chunks)
    passed.rows[13] = 4
    pass_all(source, passed)
    assert 13 not in source.read_chunks
    assert passed.rows.tolist() == [7] * 14 + [2]
    assert passed.complete.all()


@pytest.mark.parametrize("offset", [0, 2**60])
def test_heavy_chunks_are_read_if_the_common_type_may_not_hold_their_weights(offset):
    graph = random_graph(5, 100)
    u, v, w = graph.take(np.argsort(graph.w, kind="stable"))
    source = Chunks(type(graph)(5, u, v, w + offset), has_bounds=True)
    source.weight_type = np.dtype(np.float64)
    assert pass_all(source)[1].rows.sum() == 100
    assert (len(source.read_chunks) == source.chunks) == (offset > 0)


def test_notes_on_rows_that_have_passed_are_counted_once():
    class Noting(Chunks):
        def read(self, chunk):
            for batch in super().read(chunk):
                yield batch._replace(row_counts=RowCounts(no_weight=1, left_out=1))

    source = Noting(random_graph(20, 14))
    passed = PassProgress.nothing(2)._replace(
        rows=np.array([6, 0]), row_counts=np.array(RowCounts(no_weight=2, left_out=2))
    )
    pass_all(source, passed)
    assert RowCounts(*passed.row_counts.tolist()) == RowCounts(
        no_weight=6, left_out=6
    )  # of three batches in each chunk


def test_errors_of_threads_are_raised(no_threads_left):
    class Broken(Chunks):
        def read(self, chunk):
            if chunk == 9:
                raise RuntimeError("lost")
            yield from super().read(chunk)

    source = Broken(random_graph(20, 100))
    with pytest.raises(RuntimeError, match="lost"):
        pass_all(source, threads=3)
    assert source.is_closed
    assert threading.active_count() >= 1


@given(graphs())
def test_edges_that_survive_have_their_indices(graph):
    first = (3 << ROW_BITS) + 5
    rows = (
        checked_batch("here", EdgeBatch(graph.u, graph.v, graph.w), graph.n, 0)
        if graph.dtype.itemsize <= 8
        else None
    )
    if rows is None or not graph.m:
        return
    everything = surviving(first, rows, None)
    assert everything.indices.tolist() == list(range(first, first + graph.m))
    chosen = np.array(kruskal(graph.n, graph.u, graph.v, graph.w, False), np.int64)
    forest = IndexedEdges(chosen, graph.u[chosen], graph.v[chosen], graph.w[chosen])
    edge_filter = build_filter(forest, graph.n, False)
    if edge_filter is not None:
        kept = surviving(first, rows, edge_filter)
        for column, of_rows in zip(kept[1:], rows[:3], strict=True):
            assert column.tolist() == of_rows[kept.indices - first].tolist()
