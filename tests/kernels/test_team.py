"""Launches of a team, with all that may go wrong: fork, Ctrl-C, exceptions, other solves, exit, no futex."""

import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.kernels import team as module
from boruvka.kernels.kernel import Kernel, KernelError, Launch, MachineCode
from boruvka.kernels.team import Team, alone, map_parts, map_ranges, team_of

U64 = np.uint64
ZERO = U64(0)
THREADS = [1, 2, 3, 5, 16, 64]
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
linux = pytest.mark.skipif(sys.platform != "linux", reason="signals are sent to threads of Linux")


def add_one(first, last, a):
    for i in range(first, last):
        a[i] += U64(1)


def keep_even(first, last, slot, a):
    for i in range(first, last):
        x = a[i]
        a[slot] = x
        slot += U64(x % U64(2) == ZERO)
    return slot


def total_from(first, last, k, a):
    for i in range(first, last):
        k += a[i]
    return k


def fail_at(first, last, a, bad):
    for i in range(first, last):
        if a[i] == bad:
            raise ValueError("bad")
        a[i] += U64(1)


def smallest(first, last, own, least, a):
    for i in range(first, last):
        own[0] = a[i]
        least[0] = min(least[0], own[0])


def work(first, last, a, steps):
    for i in range(first, last):
        x = a[i]
        for _ in range(steps):
            x = (x ^ (x >> U64(7))) * U64(0x9E3779B97F4A7C15)
        a[i] = x


KERNELS = {f: Kernel(f) for f in (add_one, keep_even, total_from, fail_at, smallest, work)}


def launch(team, function, *arguments, size, parts, **how):
    """Run a kernel of this file on a team."""
    code, words = KERNELS[function].prepare(ZERO, ZERO, *arguments)
    assert isinstance(code, MachineCode)
    return team.run(code, words, Launch(size, parts, **how))


@pytest.fixture(params=["futex", "no futex", "no spinning"])
def team(request):
    """Teams of three threads: one more than there may be processors."""
    how = {"futex": {}, "no futex": {"futex": 0}, "no spinning": {"spins": 0}}[request.param]
    return _made.setdefault(request.param, Team(3, **how))


_made = {}


# Results


@pytest.mark.needs("numba")
@pytest.mark.parametrize("threads", THREADS)
def test_every_index_once(threads):
    a = np.zeros(1000, U64)
    for size, parts in ((1000, 1), (1000, 7), (1000, 256), (3, 3), (0, 1), (5, 9)):
        a[:] = 0
        launch(team_of(threads), add_one, a, size=size, parts=parts)
        assert (a == (np.arange(1000) < size)).all()


@pytest.mark.needs("numba")
@given(
    st.lists(st.tuples(st.integers(0, 4), st.integers(0, 9)), min_size=1, max_size=8),
    st.integers(1, 12),
    st.sampled_from(THREADS[:4]),
)
def test_parts_cross_segments(gaps_and_sizes, parts, threads):
    """A chained kernel keeps the order, and no element moves to a higher position."""
    pairs, end = [], 0
    for gap, size in gaps_and_sizes:
        pairs.append((end + gap, end + gap + size))
        end += gap + size
    a = np.arange(end + 1, dtype=U64)
    positions, segments = np.concatenate([np.arange(*pair) for pair in pairs]), np.array(pairs, U64)
    how = {"size": positions.size, "parts": parts, "ranges": segments, "chained": True}
    kept, total = launch(team_of(threads), keep_even, ZERO, a, **how)
    stored = [x for first, last in kept for x in a[int(first) : int(last)]]
    assert stored == [x for x in positions if x % 2 == 0]
    assert total == len(stored)


@pytest.mark.needs("numba")
@pytest.mark.parametrize("threads", THREADS[:4])
def test_sums_and_the_third_word(threads):
    a = np.arange(100, dtype=U64)
    sums, total = launch(team_of(threads), total_from, ZERO, a, size=100, parts=4)
    assert sums.tolist() == [[0, sum(range(k, k + 25))] for k in range(0, 100, 25)]
    assert total == 4950
    begins = np.array([1000, 2000, 3000, 4000], U64)
    sums, _ = launch(team_of(threads), total_from, ZERO, a, size=100, parts=4, third=begins)
    assert (sums[:, 1] - begins).sum() == 4950


@pytest.mark.needs("numba")
@pytest.mark.parametrize("threads", THREADS[:4])
def test_segments_that_are_parts(threads):
    a = np.zeros(20, U64)
    segments = np.array([[2, 5], [5, 5], [7, 20]], U64)
    launch(team_of(threads), add_one, a, size=16, parts=3, ranges=segments, cut=False)
    assert np.flatnonzero(a).tolist() == [2, 3, 4, *range(7, 20)]


@pytest.mark.needs("numba")
@pytest.mark.parametrize("parts", [1, 2, 50])
def test_arrays_of_each_thread(team, parts):
    a = np.random.default_rng(0).integers(0, 2**60, 5000).astype(U64)
    own, least, used = np.zeros((3, 1), U64), np.zeros(1, U64), np.zeros(3, U64)
    minima = np.zeros((2, 1), U64)
    launch(team, smallest, own[0], least, a, size=5000, parts=parts, own=[own, minima], used=used)
    found = [x[0] for x, is_used in zip([least, *minima], used, strict=True) if is_used]
    assert min(found) == a.min()
    assert all((x == 0).all() for x, is_used in zip([least, *minima], used, strict=True) if not is_used)


@pytest.mark.needs("numba")
def test_many_short_launches(team):
    a = np.zeros(64, U64)
    for _ in range(2000):
        launch(team, add_one, a, size=64, parts=16)
    assert (a == 2000).all()
    time.sleep(0.01)  # helpers sleep
    launch(team, add_one, a, size=64, parts=16)
    assert (a == 2001).all()


# Errors


@pytest.mark.needs("numba")
def test_an_exception_in_one_part(team):
    a = np.arange(1000, dtype=U64)
    with pytest.raises(KernelError, match="a compiled function raised an exception"):
        launch(team, fail_at, a, U64(500), size=1000, parts=100)
    assert a[0] == 1
    assert a[500] == 500
    assert a[999] == 1000  # the other parts ran
    launch(team, fail_at, a, U64(5000), size=1000, parts=100)


@pytest.mark.needs("numba")
def test_too_many_words():
    many = Kernel(lambda first, last, *arrays: None)
    code, words = many.prepare(ZERO, ZERO, *[np.zeros(1)] * 100)
    with pytest.raises(KernelError, match="takes at most 159 words"):
        alone().run(code, words, Launch(1))


@pytest.mark.needs("numba")
def test_too_few_rows(team):
    a, least = np.zeros(10, U64), np.zeros(1, U64)
    with pytest.raises(AssertionError):
        launch(team, smallest, a, least, a, size=10, parts=2, own=[np.zeros((2, 1), U64)])


@pytest.mark.needs("numba")
def test_a_system_that_starts_few_threads(monkeypatch):
    start, started = threading.Thread.start, []

    def start_two(thread):
        if len(started) == 2:
            raise RuntimeError("can't start new thread")
        started.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", start_two)
    few = Team(8)
    assert few.threads == 3
    a = np.zeros(1000, U64)
    launch(few, add_one, a, size=1000, parts=20)
    assert (a == 1).all()


@pytest.mark.needs("numba")
def test_a_thread_alone_keeps_no_memory():
    """A server may start a thread for each request."""
    kept = []

    def run():
        kept.append(weakref.ref(alone()))
        launch(alone(), add_one, np.zeros(10, U64), size=10, parts=3)

    for _ in range(3):
        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
    gc.collect()
    assert [reference() for reference in kept] == [None] * 3


# Ctrl-C


def interrupt_after(seconds):
    """Send the signal of Ctrl-C to the main thread."""
    main = threading.main_thread().ident
    threading.Timer(seconds, lambda: signal.pthread_kill(main, signal.SIGINT)).start()


@pytest.mark.needs("numba")
@linux
def test_ctrl_c_ends_a_launch(team):
    """It is handled after the parts that run, and the team can be used again."""
    a, steps = np.arange(1 << 16, dtype=U64), 20_000
    interrupt_after(0.1)
    began = time.perf_counter()
    with pytest.raises(KeyboardInterrupt):
        launch(team, work, a, steps, size=a.size, parts=1 << 14, most=4)
    assert time.perf_counter() - began < 5  # of a minute
    a[:] = 0
    launch(team, add_one, a, size=a.size, parts=64)
    assert (a == 1).all()


@linux
def test_ctrl_c_while_a_helper_works(team):
    """The caller sleeps until the helpers are done; a signal ends its sleep."""
    met = threading.Event()

    def run(part):
        if threading.current_thread() is threading.main_thread():
            met.wait(30)
        else:
            met.set()
            time.sleep(0.5)

    interrupt_after(0.1)
    with pytest.raises(KeyboardInterrupt):
        team.map(run, range(2))
    assert team.map(lambda x: x + 1, range(9)) == list(range(1, 10))


@linux
def test_ctrl_c_in_a_solve():
    """In a process of its own, as a user has it, between two solves that agree."""
    code = """
import signal, threading
import boruvka
graph = boruvka.generators.random(1_000_000, 4_000_000, seed=1)
first = boruvka.minimum_spanning_forest(graph, threads=4).edges
main, interrupted = threading.main_thread().ident, 0
for k in range(8):
    timer = threading.Timer(0.01 * (k + 1), lambda: signal.pthread_kill(main, signal.SIGINT))
    try:
        timer.start()
        while True:
            boruvka.minimum_spanning_forest(graph, threads=4)
    except KeyboardInterrupt:
        interrupted += 1
    timer.join()
assert (boruvka.minimum_spanning_forest(graph, threads=4).edges == first).all()
print(interrupted)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "8\n", done.stderr


# Other threads, processes, and the end


@pytest.mark.needs("numba")
def test_solves_at_once(team):
    """One caller has the team, and the others run alone."""
    arrays = [np.zeros(5000, U64) for _ in range(8)]

    def run(a):
        for _ in range(200):
            launch(team, add_one, a, size=5000, parts=20)
        return a

    with ThreadPoolExecutor(8) as pool:
        assert all((a == 200).all() for a in pool.map(run, arrays))


@pytest.mark.needs("numba")
@needs_fork
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
@pytest.mark.parametrize("while_solving", [False, True])
def test_a_forked_child_starts_a_team_of_its_own(while_solving):
    a = np.zeros(1000, U64)
    launch(team_of(3), add_one, a, size=1000, parts=10)
    over = threading.Event()

    def solve_on():
        mine = np.zeros(1000, U64)
        while not over.is_set():
            launch(team_of(3), add_one, mine, size=1000, parts=10)

    other = threading.Thread(target=solve_on)
    if while_solving:
        other.start()
    child = os.fork()
    if not child:
        os._exit(_child(a))
    assert os.waitpid(child, 0)[1] == 0
    over.set()
    if while_solving:
        other.join()
    launch(team_of(3), add_one, a, size=1000, parts=10)
    assert (a == 2).all()  # not what the child did


def _child(a):
    signal.alarm(60)
    launch(team_of(3), add_one, a, size=1000, parts=10)
    met = threading.Barrier(3)
    met_all = map_parts(lambda _: met.wait(30) >= 0, range(3), 3)
    return 0 if (a == 2).all() and all(met_all) else 1


@pytest.mark.parametrize("spin", ["0", "", "for ever"])
def test_exit_while_helpers_wait(spin):
    """Helpers sleep, have just begun to spin, or spin for ever when the interpreter ends."""
    code = f"""
from boruvka.kernels import team
if {spin!r} == "for ever":
    team.SPINS = 1 << 60
    team.processors = lambda: 64
print(sum(team.map_parts(lambda x: x, range(100), 8)))
"""
    environment = os.environ | ({"BORUVKA_SPIN": spin} if spin == "0" else {})
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "4950\n", "")


def test_a_team_spins_only_if_it_has_processors_and_may(monkeypatch):
    monkeypatch.setattr(module, "processors", lambda: 4)
    assert module.default_spins(4) == module.SPINS
    assert module.default_spins(5) == 0
    monkeypatch.setenv("BORUVKA_SPIN", "0")
    assert module.default_spins(1) == 0


# Python functions


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


def test_a_part_may_use_the_team_itself():
    def inner(x):
        return sum(map_parts(lambda y: x * y, range(10), 2))

    assert map_parts(inner, range(8), 2) == [45 * x for x in range(8)]


@pytest.mark.parametrize("size", [0, 1, 2, 5, 1000])
def test_ranges_cover_everything_once(size):
    elements = list(range(size))
    assert [x for part in map_ranges(lambda here: elements[here], size) for x in part] == elements


@pytest.mark.parametrize("threads", [1, 2])
def test_results_come_in_order_and_may_be_left(threads):
    begun = []
    results = module.map_in_order(lambda x: begun.append(x) or x, iter(range(1000)), threads)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    results.close()
    assert len(begun) == module.PARTS_AT_ONCE * threads
    assert list(module.map_in_order(lambda x: x, range(40), threads)) == list(range(40))
