import numpy as np
import pytest

import boruvka
from boruvka.errors import OptionError
from lab.harness.graphs import FAMILIES, graph_of, is_specification, title_of
from lab.harness.ssca2 import cliques, pairs_between, pairs_inside, ssca2
from lab.race import SUITES


def test_a_specification_is_what_the_generator_makes():
    graph = graph_of(
        "grid:rows=5,cols=4,drop_probability=0.5,shuffle=true,dtype=int64,weights=integers_8,seed=3"
    )
    expected = boruvka.generators.grid(
        5, 4, drop_probability=0.5, shuffle=True, dtype="int64", weights="integers_8", seed=3
    )
    for name in "uvw":
        np.testing.assert_array_equal(getattr(graph, name), getattr(expected, name))
    assert graph_of("star").n == boruvka.generators.star().n


def test_a_file_is_read_and_its_folder_not_shown(tmp_path):
    path = tmp_path / "g.npz"
    boruvka.write(([0], [1], [5.0]), path)
    assert graph_of(str(path)).m == 1
    assert (title_of(str(path)), title_of("star:n=4")) == ("g.npz", "star:n=4")


def test_the_graphs_of_suites_exist():
    assert all(is_specification(name, FAMILIES) for suite in SUITES.values() for name in suite)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing:n=3", "there is no such file, and no such family"),
        ("missing.gr", "missing.gr: there is no such file"),
        ("star:m=3", "star has no argument 'm'; it has n, seed"),
        ("star:n=many", "n must be an integer"),
        ("grid:drop_probability=much", "drop_probability must be a number"),
        ("star:dtype=float128", "dtype must be one of float32"),
    ],
)
def test_bad_names(name, message):
    with pytest.raises(OptionError, match=message):
        graph_of(name)


def test_ssca2_is_cliques_and_rarer_edges_between_them():
    rng = np.random.default_rng(1)
    clique = cliques(128, 6, rng)
    assert (clique.size, max(np.bincount(clique))) == (128, 6)
    u, v = pairs_inside(clique, rng)
    assert (clique[u] == clique[v]).all()
    u, v = pairs_between(clique, 7, rng)
    assert (clique[u] != clique[v]).all()
    graph = ssca2(7, seed=3, weights="integers_1000", dtype="int32")
    assert graph.n == 128
    again = ssca2(7, seed=3, weights="integers_1000", dtype="int32")
    assert (graph.u.tolist(), graph.w.tolist()) == (again.u.tolist(), again.w.tolist())
    assert (graph.u != graph.v).all()
