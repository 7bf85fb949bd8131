import runpy
import sys
from importlib.util import find_spec

import pytest

import boruvka
from boruvka.errors import FileError, MissingExtraError
from boruvka.interop import igraph, networkx
from boruvka.runtime.libraries import reading_errors, require

FOREST = boruvka.minimum_spanning_forest(([0, 1, 2], [1, 2, 0], [5, 0, 2]), backend="interpreted")
OPTIONAL = [
    ("networkx", "networkx", FOREST.to_networkx),
    ("igraph", "igraph", FOREST.to_igraph),
    ("pandas", "pandas", FOREST.to_pandas),
    ("pyarrow", "arrow", FOREST.to_arrow),
    ("polars", "tables", FOREST.to_polars),
    ("networkx", "networkx", lambda: networkx.graph_from(None)),
    ("igraph", "igraph", lambda: igraph.graph_from(None)),
    ("scipy", "scipy", FOREST.to_scipy),
    ("scipy", "scipy", lambda: runpy.run_path(find_spec("boruvka.csgraph").origin)),
]


@pytest.mark.parametrize(("library", "extra", "call"), OPTIONAL)
def test_a_missing_library_is_named_with_its_extra(monkeypatch, library, extra, call):
    for name in [library, *(name for name in sys.modules if name.startswith(f"{library}."))]:
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError) as caught:
        call()
    assert str(caught.value) == f'{library} is not installed; install it with: pip install "boruvka[{extra}]"'
    assert isinstance(caught.value, ImportError)
    assert caught.value.name == library


def test_a_broken_library_reports_its_own_error(monkeypatch, tmp_path):
    (tmp_path / "half_installed.py").write_text("import surely_not_there")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="surely_not_there"):
        require("half_installed", "networkx")


@pytest.mark.parametrize(
    "error", [OSError("Could not load shared object file 'a.so'"), ImportError("a.so: failed")]
)
def test_a_library_that_cannot_be_loaded_is_no_fault_of_the_file(error, monkeypatch):
    monkeypatch.setattr("boruvka.runtime.processors._address_limit", lambda: 1 << 29)
    with (
        pytest.raises(
            FileError, match=r"a\.csv: a library cannot be loaded: .*a\.so.*\(ulimit -v\) allows 512M"
        ),
        reading_errors("a.csv", "csv"),
    ):
        raise error
