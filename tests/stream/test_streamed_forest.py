import threading

import numpy as np
import pytest

from boruvka.errors import FileError
from boruvka.stream.edge_pass import StreamedForest
from boruvka.stream.indexed_edges import IndexedEdges


def run(first, count, dtype=np.int64):
    ends = np.arange(first, first + count, dtype=np.uint32)
    return IndexedEdges(ends.astype(np.int64), ends, ends + 1, np.arange(count).astype(dtype))


def test_room_is_checked_before_vertices_are_added():
    def room(n):
        if n > 100:
            raise FileError("too large")
        return 5

    forest = StreamedForest(0, False, room)
    assert not forest.add(run(0, 3), 4)
    with pytest.raises(FileError, match="too large"):
        forest.add(run(200, 3), 204)


def test_type_of_edges_that_were_dropped():
    forest = StreamedForest(0, False, lambda n: 2)
    assert forest.add(run(0, 3), 4)
    forest.add(IndexedEdges.none(np.uint32, np.float64), 4, np.empty(0, np.float64))
    forest.merge_pending(needs_filter=False)
    assert forest.forest.w.dtype == np.float64


@pytest.mark.parametrize("maximum", [False, True])
def test_heaviest_is_known_once_the_forest_spans_all_vertices(maximum):
    forest = StreamedForest(4, maximum, lambda n: 1)
    assert forest.heaviest is None
    forest.add(run(0, 2), 3)
    assert forest.heaviest is None  # vertex 3 may have a heavier edge
    forest.add(
        IndexedEdges(np.array([2]), np.array([2], np.uint32), np.array([3], np.uint32), np.array([9])), 4
    )
    assert forest.heaviest == (0 if maximum else 9)


def test_heaviest_while_another_thread_solves():
    """Readers ask while the forest is replaced."""
    forest = StreamedForest(4, False, lambda n: 1)
    forest.add(run(0, 3), 4)
    errors, stop = [], threading.Event()

    def ask():
        while not stop.is_set():
            try:
                assert forest.heaviest in (None, 2)
            except AttributeError as error:
                errors.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    for _ in range(20_000):
        kept, forest.forest = forest.forest, None
        forest.forest = kept
    stop.set()
    thread.join()
    assert errors == []
