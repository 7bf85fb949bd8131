"""Formats whose library is not installed."""

import io
import sys

import pytest

from boruvka import Graph
from boruvka.errors import MissingExtraError
from boruvka.formats import FORMATS, check_output, read, write
from tests.formats.libraries.test_osm import write_osm
from tests.formats.libraries.test_vector_maps import save as save_lines

GRAPH = Graph(2, [0], [1], [5])


def save(path, name):
    """Write a valid file of a format."""
    if name in ("geojson", "osm"):
        {"geojson": save_lines, "osm": write_osm}[name](path)
    else:
        write(GRAPH, path)


@pytest.mark.parametrize(
    ("library", "extra", "names"),
    [
        ("networkx", "networkx", ["graphml", "gexf", "gml"]),
        ("osmium", "osm", ["osm"]),
        ("pyarrow", "arrow", ["arrow"]),
        *((library, "geo", ["geojson"]) for library in ("geopandas", "pyogrio", "shapely", "pyproj")),
    ],
)
def test_the_error_names_the_extra(library, extra, names, tmp_path, monkeypatch):
    formats = [chosen for chosen in FORMATS if chosen.name in names]
    for chosen in formats:
        save(tmp_path / f"a{chosen.endings[0]}", chosen.name)
    monkeypatch.setitem(sys.modules, library, None)
    for chosen in formats:
        if library != "networkx":
            with pytest.raises(MissingExtraError, match=rf"boruvka\[{extra}\]"):
                read(tmp_path / f"a{chosen.endings[0]}")
        else:  # which only writes
            assert read(tmp_path / f"a{chosen.endings[0]}").w.tolist() == [5]
            for attempt in check_output, lambda file, format: write(GRAPH, file, format=format):
                with pytest.raises(MissingExtraError, match=rf"boruvka\[{extra}\]"):
                    attempt(io.BytesIO(), chosen.name)
