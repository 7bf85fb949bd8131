import pytest

from boruvka.bench.contestants import OTHERS, chosen
from boruvka.bench.contestants.program import Program
from boruvka.errors import MissingExtraError, OptionError


def test_chosen_contestants():
    assert [c.name for c in chosen(["auto", "boruvka", "auto"], ["scipy"])] == [
        "boruvka",
        "boruvka:boruvka",
        "scipy",
    ]
    installed = [c.name for c in chosen([], None)]
    assert installed == [name for name in OTHERS if OTHERS[name]().installed]
    with pytest.raises(OptionError, match="unknown contestant 'boost'; there are argsort-kruskal"):
        chosen([], ["boost"])
    with pytest.raises(OptionError, match="unknown algorithm 'magic'"):
        chosen(["magic"], [])


def test_a_missing_library_is_named(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"rustworkx is not installed.*boruvka\[bench\]"):
        chosen([], ["rustworkx"])
    with pytest.raises(MissingExtraError, match="graph-tool is not installed"):
        chosen([], ["graph-tool"])
    assert [c.name for c in chosen([], None)] == ["argsort-kruskal", "packed-sort"]


def test_names_that_are_taken():
    program = Program(command="x", format="pbbs", weight="(.)")
    for name in "scipy", "boruvka", "boruvka:fast", "streaming":
        with pytest.raises(OptionError, match="that is taken"):
            chosen([], [], {name: program})
