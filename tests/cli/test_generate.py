import inspect
from dataclasses import replace
from functools import wraps

import pytest

import boruvka
from boruvka.generators import FAMILIES

SIZES = {"kronecker": "--scale", "rmat": "--scale", "grid": "--rows"}


@pytest.fixture
def recorded(monkeypatch):
    """Replace the generators by functions of their signature that record their arguments."""
    passed = {}

    def replacement(family):
        @wraps(family.function)
        def record(*arguments, **named):
            passed.update(inspect.signature(family.function).bind(*arguments, **named).arguments)
            return boruvka.Graph.from_edges([0, 1], [1, 2], [5, 7])

        return replace(family, function=record)

    for name, family in FAMILIES.items():
        monkeypatch.setitem(FAMILIES, name, replacement(family))
    return passed


@pytest.mark.parametrize("name", FAMILIES)
def test_defaults_of_every_family(name, recorded, tmp_path, run):
    path, size = tmp_path / "g.npz", SIZES.get(name, "--n")
    result = run("generate", name, size, "8", "--seed", "4", "-o", path)
    assert result == (0, f"{path}: 3 vertices, 2 edges\n", "")
    defaults = {parameter.name: parameter.default for parameter in FAMILIES[name].parameters}
    assert recorded == defaults | {size[2:]: 8, "seed": 4}


def test_arguments(recorded, tmp_path, run):
    path = tmp_path / "g.dat"
    options = "--rows 3 --cols 5 --drop-probability 0.25 --shuffle --seed 7 --weights integers_8"
    result = run("generate", "grid", *options.split(), "--dtype", "int64", "-o", path, "--to", "npz")
    assert (result.code, result.err) == (0, "")
    assert recorded == {
        "rows": 3,
        "cols": 5,
        "drop_probability": 0.25,
        "shuffle": True,
        "seed": 7,
        "weights": "integers_8",
        "dtype": "int64",
    }
    assert boruvka.read(path, format="npz").w.tolist() == [5, 7]


@pytest.mark.long
@pytest.mark.parametrize("name", FAMILIES)
def test_generate_and_solve(name, tmp_path, run):
    path = tmp_path / "g.npz"
    size = [SIZES.get(name, "--n"), "8"]
    assert run("generate", name, *size, "-o", path).code == 0
    assert run("solve", path, "--verify", "-q") == (0, "", "")


@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        ("No such command 'nothing'", ["nothing", "-o", "x.npz"]),
        ("Missing option", ["star"]),
        ("n must be", ["star", "--n", "1", "-o", "{dir}/x.npz"]),
        ("scale", ["kronecker", "--scale", "99", "-o", "{dir}/x.npz"]),
        ("--weights", ["star", "--weights", "odd", "-o", "{dir}/x.npz"]),
        ("graph.xyz", ["grid", "--rows", "0", "-o", "{dir}/graph.xyz"]),
    ],
)
def test_bad_input_and_usage(message, arguments, tmp_path, refuse):
    refuse(message, "generate", *(a.format(dir=tmp_path) for a in arguments))
    assert list(tmp_path.iterdir()) == []
