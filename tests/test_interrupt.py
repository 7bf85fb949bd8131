import signal
import threading

import numpy as np
import pytest

import boruvka


@pytest.fixture
def default_handler():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("threads", [1, 2])
def test_interrupt_of_the_library(threads, default_handler):
    """Ctrl-C reaches the caller, and the library can be used afterwards."""
    u, v, w = np.random.default_rng(1).integers(0, 100_000, (3, 400_000))
    graph = boruvka.Graph.from_edges(u, v, w)
    expected = boruvka.minimum_spanning_forest(graph, threads=threads)
    main = threading.main_thread().ident
    timer = threading.Timer(0.1, lambda: signal.pthread_kill(main, signal.SIGINT))

    def solve_until_interrupted():
        timer.start()
        while True:
            boruvka.minimum_spanning_forest(graph, threads=threads)

    with pytest.raises(KeyboardInterrupt):
        solve_until_interrupted()
    timer.join()
    forest = boruvka.minimum_spanning_forest(graph, threads=threads)
    assert np.array_equal(forest.edges, expected.edges)
    assert boruvka.verify(graph, forest)


# An interrupt at the very beginning of a callback is reported by Python, and raised after the launch.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_interrupt_of_a_verification(default_handler):
    u, v, w = np.random.default_rng(1).integers(0, 100_000, (3, 400_000))
    graph = boruvka.Graph.from_edges(u, v, w)
    forest = boruvka.minimum_spanning_forest(graph)
    assert boruvka.verify(graph, forest)
    main = threading.main_thread().ident
    timer = threading.Timer(0.1, lambda: signal.pthread_kill(main, signal.SIGINT))

    def verify_until_interrupted():
        timer.start()
        while True:
            boruvka.verify(graph, forest)

    with pytest.raises(KeyboardInterrupt):
        verify_until_interrupted()
    timer.join()
    assert boruvka.verify(graph, forest)
