import numpy as np
import pytest

import boruvka
from boruvka.bench.graphs import SUITES, graph_of, is_specification, names_of
from boruvka.errors import OptionError


def test_a_specification_is_what_the_generator_makes():
    graph = graph_of("grid:rows=5,cols=4,drop=0.5,shuffle=true,dtype=int64,weights=few,seed=3")
    expected = boruvka.generators.grid(5, 4, drop=0.5, shuffle=True, dtype="int64", weights="few", seed=3)
    for name in "uvw":
        np.testing.assert_array_equal(getattr(graph, name), getattr(expected, name))
    assert graph.w.dtype == np.int64
    assert graph_of("star").n == boruvka.generators.star().n


def test_a_file_is_read(tmp_path):
    path = tmp_path / "g.npz"
    boruvka.write(([0], [1], [5.0]), path)
    assert not is_specification(str(path))
    assert graph_of(str(path)).m == 1


@pytest.mark.parametrize("suite", SUITES)
def test_suites_are_right(suite):
    assert names_of((), suite) == SUITES[suite]


def test_what_is_measured():
    assert names_of((), None) == SUITES["quick"]
    assert names_of(("star",), None) == ("star",)
    assert names_of(("star",), "small") == ("star", *SUITES["small"])


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nothing:n=3", "there is no such file, and no such family"),
        ("missing.gr", "missing.gr: there is no such file"),
        ("star:m=3", "star has no argument 'm'; it has n, seed"),
        ("star:n=many", "n must be a whole number, got 'many'"),
        ("grid:drop=much", "drop must be a number, got 'much'"),
        ("grid:shuffle=maybe", "shuffle must be true or false, got 'maybe'"),
        ("star:dtype=float128", "dtype must be one of float32"),
    ],
)
def test_bad_names(name, message):
    with pytest.raises(OptionError, match=message):
        names_of((name,), None)


def test_bad_suite():
    with pytest.raises(OptionError, match="unknown suite 'x'; there are quick"):
        names_of((), "x")
