"""OpenStreetMap (``.osm.pbf``, ``.osm``), through osmium: roads, or other ways with the tag highway.

Every two consecutive nodes of a way are an edge; its weight is their distance in metres on a sphere. By
default the ways are the public roads for cars, which have a value of `CARS` and no tag that keeps cars out.
``ways="all"`` takes all, and ``ways="footway,path"`` takes the ways with one of these values.

Vertices are the nodes of these ways in the order of their ids, which are their names. A segment is left out
if the file has no position for one of its nodes, as at the border of an extract. Edges keep the id of their
way (``osmid``) and its tags ``highway`` and ``name``.

Where places are attached (``attach=``), vertices are named by their coordinates.
"""

from __future__ import annotations

from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec, Holds
from boruvka.formats.libraries.vector_maps import attached
from boruvka.formats.name_columns import check_name_types
from boruvka.graph.distances import EARTH_RADIUS
from boruvka.graph.graph import Graph
from boruvka.interop.as_graph import OF_LINES
from boruvka.interop.data_frames import SourceTable
from boruvka.interop.lines import MAX_LATITUDE
from boruvka.runtime.arguments import hint
from boruvka.runtime.libraries import require

CARS = frozenset(
    f"{road}{link}"
    for road in ("motorway", "trunk", "primary", "secondary", "tertiary")
    for link in ("", "_link")
) | {"unclassified", "residential", "living_street", "road"}
"""Values of the tag highway of public roads for cars."""
_ACCESS = "access", "vehicle", "motor_vehicle", "motorcar"
"""Tags that say who may enter, from the general to the special; the last one that is there decides."""
_CLOSED = "no", "private"
"""Their values on roads that cars may not enter."""
_UNITS_PER_DEGREE = 10**7
_NO_POSITION = 2**31 - 1


def _read(source: InputFile, options: Options) -> Graph:
    osmium = require("osmium", "osm")
    is_xml = bytes(source.content[:16]).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
    # Not by its path: osmium leaves damaged files open, and takes some names for URLs or standard input.
    file = osmium.io.FileBuffer(source.content, "osm" if is_xml else "pbf")
    ids, x, y, lengths, way_ids = array("q"), array("i"), array("i"), array("q"), array("q")
    highways, street_names, known = list[str](), list[str | None](), dict[Any, Any]()  # each text once
    ways = osmium.FileProcessor(file, osmium.osm.NODE | osmium.osm.WAY).with_locations()
    ways.with_filter(osmium.filter.EntityFilter(osmium.osm.WAY))
    wanted = frozenset(value.strip() for value in options.ways.split(","))
    for way in ways.with_filter(osmium.filter.KeyFilter("highway")):
        if not _is_wanted(way.tags, wanted):
            continue
        nodes = list(way.nodes)
        lengths.append(len(nodes))
        way_ids.append(way.id)
        highways.append(known.setdefault(way.tags["highway"], way.tags["highway"]))
        street_names.append(known.setdefault(name := way.tags.get("name"), name))
        ids.extend([node.ref for node in nodes])
        x.extend([node.x for node in nodes])
        y.extend([node.y for node in nodes])
    node, longitude, latitude = np.array(ids), np.array(x), np.array(y)
    way_of_node = np.repeat(np.arange(len(lengths)), np.array(lengths))
    has_position = longitude != _NO_POSITION
    here = np.flatnonzero((way_of_node[1:] == way_of_node[:-1]) & has_position[1:] & has_position[:-1])
    if not here.size:
        passed = hint("; pass {ways} for all with the tag highway", ways="all")
        raise source.error(f"has no way of those wanted, {options.ways}, whose nodes have positions{passed}")
    found = np.concatenate([here, here + 1])
    if (beyond := np.abs(latitude[found]) > MAX_LATITUDE * _UNITS_PER_DEGREE).any():
        k = found[np.argmax(beyond)]
        degrees = latitude[k] / _UNITS_PER_DEGREE
        raise source.error(f"node {node[k]} has the latitude {degrees:g}, beyond {MAX_LATITUDE} degrees")
    names, first, ends = np.unique(node[found], return_index=True, return_inverse=True)
    places = np.column_stack([longitude, latitude])[found[first]] / _UNITS_PER_DEGREE
    w: NDArray[Any] = (
        np.ones(here.size, np.uint8) if options.unweighted else _metres(longitude, latitude, here)
    )
    first_end, second_end = ends[: here.size], ends[here.size :]
    ways_read = {"osmid": np.array(way_ids), "highway": _texts(highways), "name": _texts(street_names)}
    graph = Graph.from_edges(first_end, second_end, w, n=names.size, names=names)
    table = SourceTable(ways_read, ["source", "target", "weight"], way_of_node[here])
    return attached(graph.with_coordinates(places, "lonlat").annotated(table=table), options)


def _texts(values: list[Any]) -> NDArray[Any]:
    return np.fromiter(values, object, len(values))


def _is_wanted(tags: Any, wanted: frozenset[str]) -> bool:
    """Return whether a way with these tags is read."""
    highway = tags["highway"]
    if wanted != {"cars"}:
        return highway in wanted or "all" in wanted
    access = [tags[key] for key in _ACCESS if key in tags]
    return highway in CARS and (access or [""])[-1] not in _CLOSED


def _metres(x: NDArray[np.int32], y: NDArray[np.int32], first: NDArray[np.intp]) -> NDArray[np.float64]:
    """Compute the distances between the given positions and the next ones, by the haversine formula."""
    longitude, latitude = np.radians(x / _UNITS_PER_DEGREE), np.radians(y / _UNITS_PER_DEGREE)
    across, up = np.diff(longitude)[first], np.diff(latitude)[first]
    cosines = np.cos(latitude)
    square = np.sin(up / 2) ** 2 + cosines[first] * cosines[first + 1] * np.sin(across / 2) ** 2
    return 2000 * EARTH_RADIUS * np.arcsin(np.sqrt(np.minimum(square, 1)))


OSM = Codec(_read, options=frozenset({*OF_LINES, "unweighted", "ways"}), holds=Holds(names=check_name_types))
