"""What holds for every family: seeds, weights, slices, threads, bad arguments, the registry."""

import subprocess
import sys
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import Graph, OptionError, generators
from boruvka.generators import FAMILIES, edges

SMALL = {
    "kronecker": {"scale": 8, "edge_factor": 4},
    "rmat": {"scale": 8, "m": 1000},
    "random": {"n": 100, "m": 1000},
    "grid": {"rows": 20, "cols": 30, "drop_probability": 0.2, "shuffle": True},
    "geometric": {"n": 300},
    "complete": {"n": 40},
    "star": {"n": 100},
    "path": {"n": 100},
}
SUMS = {
    "kronecker": [393102943, 3397413508, 4006612853],
    "rmat": [107440673, 3616639136, 3367886958],
    "random": [1838566547, 321064416, 3367886958],
    "grid": [952370926, 45777297, 1113927604],
    "geometric": [4270182000, 386445852, 826501266],
    "complete": [280608399, 3638150467, 2761916713],
    "star": [3047560908, 533610684, 1799183170],
    "path": [2045796450, 533610684, 1799183170],
}
"""Checksums of u, v and w of the small graphs, with seed 1."""
# Large enough for several chunks.
CHUNKED = {
    "kronecker": {"scale": 14},
    "rmat": {"scale": 10, "m": 300_000},
    "random": {"n": 100, "m": 300_000},
    "grid": {"rows": 400, "cols": 400, "drop_probability": 0.2, "shuffle": True},
    "geometric": {"n": 40_000},
    "complete": {"n": 300},
}

families = pytest.mark.parametrize("name", FAMILIES)


def make(name, **options):
    return FAMILIES[name].function(**(SMALL[name] | options))


def same(one, other):
    return all(np.array_equal(getattr(one, part), getattr(other, part)) for part in "nuvw")


@families
def test_a_seed_makes_one_graph(name):
    graph = make(name, seed=1)
    assert isinstance(graph, Graph)
    assert graph.u.dtype == np.uint32
    assert same(graph, make(name, seed=1))
    assert not same(graph, make(name, seed=2))


@families
def test_weights_leave_the_edges_alone(name):
    graph = make(name)
    for weights, dtype in (
        ("constant", "int32"),
        ("integers_8", "float64"),
        ("distinct", "int64"),
        ("uniform", "uint64"),
    ):
        other = make(name, weights=weights, dtype=dtype)
        np.testing.assert_array_equal(other.u, graph.u)
        np.testing.assert_array_equal(other.v, graph.v)
        assert other.w.dtype == dtype


@pytest.mark.parametrize("name", CHUNKED)
def test_the_number_of_threads_does_not_matter(name, monkeypatch):
    graphs = []
    for threads in (1, 3):
        monkeypatch.setattr(edges, "processors", lambda threads=threads: threads)
        graphs.append(FAMILIES[name].function(**CHUNKED[name], seed=4))
    assert same(*graphs)


@given(data=st.data())
def test_slices_agree_with_the_whole(data):
    whole = make("kronecker", seed=6)
    start = data.draw(st.integers(0, whole.m))
    stop = data.draw(st.integers(start, whole.m))
    found = generators.kronecker_edges(**SMALL["kronecker"], seed=6, start=start, stop=stop)
    for part, full in zip(found, "uvw", strict=True):
        np.testing.assert_array_equal(part, getattr(whole, full)[start:stop])


def test_a_slice_of_a_graph_that_fits_nowhere():
    start = 2**38 + 7
    u, v, w = generators.kronecker_edges(40, 16, seed=1, start=start, stop=start + 1000)
    assert u.dtype == v.dtype == np.uint64
    assert u.size == v.size == w.size == 1000
    assert max(u.max(), v.max()) > 2**39
    assert max(u.max(), v.max()) < 2**40


def test_graphs_stay_the_same_in_every_version():
    u, v, w = generators.kronecker_edges(10, 16, seed=1, start=100, stop=104)
    assert u.tolist() == [686, 703, 18, 421]
    assert v.tolist() == [588, 747, 255, 984]
    assert (w * 2**24).astype(int).tolist() == [11103634, 2335945, 4420490, 16179435]
    sums = {name: [crc32(getattr(make(name, seed=1), x).tobytes()) for x in "uvw"] for name in FAMILIES}
    assert sums == SUMS


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("kronecker", {"scale": -1}, "scale must be an integer from 0 to 40, got -1"),
        ("kronecker", {"scale": 41}, "scale must be"),
        ("kronecker", {"scale": 3.0}, "scale must be"),
        ("kronecker", {"edge_factor": 0}, "edge_factor must be"),
        ("kronecker", {"seed": -1}, "seed must be an integer 0 or more, got -1"),
        ("kronecker", {"seed": "x"}, "seed must be"),
        ("kronecker", {"scale": 40}, "GiB of memory"),
        ("rmat", {"m": -1}, "m must be"),
        ("rmat", {"a": 1.5}, "a must be a number from 0 to 1, got 1.5"),
        ("rmat", {"d": float("nan")}, "d must be"),
        ("rmat", {"a": 0.5}, "a, b, c and d must sum to 1"),
        ("rmat", {"m": 2**50}, "GiB of memory"),
        ("random", {"n": 1}, "n must be an integer 2 or more, got 1"),
        ("random", {"m": "many"}, "m must be"),
        ("random", {"m": 2**50}, "GiB of memory"),
        ("grid", {"rows": 0}, "rows must be"),
        ("grid", {"cols": 0}, "cols must be"),
        ("grid", {"drop_probability": -0.1}, "drop_probability must be"),
        ("grid", {"rows": 2**40, "cols": 2**40, "drop_probability": 1.0}, "GiB of memory"),
        ("geometric", {"n": 0}, "n must be"),
        ("geometric", {"radius": 0}, "radius must be"),
        ("geometric", {"degree": -1}, "degree must be"),
        ("geometric", {"degree": 5, "radius": 0.1}, "degree or radius, not both"),
        ("geometric", {"dtype": "int32"}, "needs the type float32 or float64"),
        ("geometric", {"weights": "heavy"}, "weights must be one of distance, uniform"),
        ("geometric", {"n": 2**40}, "GiB of memory"),
        ("geometric", {"n": 10**7, "radius": 1.0}, "GiB of memory"),
        ("complete", {"n": 1}, "n must be"),
        ("complete", {"n": 10**7}, "GiB of memory"),
        ("star", {"n": 1}, "n must be"),
        ("star", {"n": 2**50}, "GiB of memory"),
        ("path", {"n": 1}, "n must be"),
        ("path", {"n": 2**50}, "GiB of memory"),
    ],
)
def test_bad_arguments(name, options, message):
    with pytest.raises(OptionError, match=message):
        make(name, **options)


@families
def test_bad_weights(name):
    with pytest.raises(OptionError, match="weights must be one of"):
        make(name, weights="heavy")
    with pytest.raises(OptionError, match="dtype must be one of"):
        make(name, dtype="float16")


@families
def test_a_small_machine_is_not_asked_for_more_than_it_has(name, monkeypatch):
    monkeypatch.setattr(edges, "memory_size", lambda: 100)
    with pytest.raises(OptionError, match="of memory"):
        make(name)


@pytest.mark.parametrize(("start", "stop"), [(-1, 2), (5, 4), (0, 10**6), (10**6, None)])
def test_bad_slices(start, stop):
    with pytest.raises(OptionError, match=r"start|stop"):
        generators.kronecker_edges(4, 4, start=start, stop=stop)


@families
def test_the_registry_says_what_the_signature_says(name):
    family = FAMILIES[name]
    assert family.name == name
    assert family.summary.endswith(".")
    assert family.source
    assert {"seed", "weights", "dtype"} <= {parameter.name for parameter in family.parameters}
    for parameter in family.parameters:
        assert parameter.type in (int, float, bool, str)
        assert parameter.default is None or type(parameter.default) is parameter.type
        assert parameter.default is None or not parameter.choices or parameter.default in parameter.choices
        assert (parameter.type is str) == bool(parameter.choices)
        assert parameter.help
    defaults = {parameter.name: parameter.default for parameter in family.parameters}
    assert same(family.function(**defaults), family.function())


def test_importing_the_generators_is_light():
    program = (
        "import sys, boruvka.generators as g; [f.parameters for f in g.FAMILIES.values()]; "
        "sys.exit(bool({'numba', 'scipy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
