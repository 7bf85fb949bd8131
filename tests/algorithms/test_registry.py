"""Algorithms enter themselves, and are found by name; their options."""

import functools
import subprocess
import sys

import pytest

import boruvka
from boruvka import OptionError
from boruvka.algorithms.registry import ALGORITHMS, edge_list_algorithms

minimum_spanning_forest = functools.partial(boruvka.minimum_spanning_forest, backend="interpreted")


@pytest.mark.parametrize(
    ("algorithm", "options", "message"),
    [
        ("kruskal", {"force": True}, "kruskal has no option 'force'; it has none"),
        ("star-contraction", {"coins": 3}, "it has sequential_flips, seed"),
        ("star-contraction", {"seed": "x"}, "option seed of star-contraction must be an integer, got 'x'"),
        ("csr-contraction", {"remove_duplicates": 1}, "must be True or False, got 1"),
    ],
)
def test_options_are_checked(algorithm, options, message):
    with pytest.raises(OptionError, match=message):
        minimum_spanning_forest(([0], [1], [2]), algorithm=algorithm, options=options)


def test_all_algorithms_are_found():
    assert list(ALGORITHMS) == sorted(ALGORITHMS)
    assert len(ALGORITHMS) == 18
    assert set(ALGORITHMS) - set(edge_list_algorithms()) == {"dense", "kd-tree-boruvka", "point-prim"}
    for name, each in ALGORITHMS.items():
        assert each.name == name
        assert each.source
        assert each.use
        assert each.run.__doc__
    assert "magic" not in ALGORITHMS
    assert "registry" not in ALGORITHMS  # a module that enters nothing


@pytest.mark.parametrize(
    ("name", "absent"),
    [("kruskal", "boruvka.algorithms.boruvka"), ("prim", "boruvka.algorithms.kruskal")],
)
def test_a_lookup_imports_one_file(name, absent):
    code = (
        "import sys; from boruvka.algorithms.registry import ALGORITHMS; "
        f"print(ALGORITHMS[{name!r}].name, {absent!r} in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == [name, "False"]
