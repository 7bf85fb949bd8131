"""EPANET (``.inp``): pipes of a water network, weighted by their lengths.

Source: L. Rossman, "EPANET 2 Users Manual" (2000), appendix C. Vertices are junctions, reservoirs and tanks,
and their ids are names. Pumps and valves, which have no length, and closed pipes are left out with a warning.
"""

from __future__ import annotations

import math
from typing import Any

from boruvka.errors import GraphError, shown, warn
from boruvka.formats.edge_table import Options
from boruvka.formats.files import InputFile
from boruvka.formats.format import Codec
from boruvka.formats.name_columns import names_of_words
from boruvka.formats.text.lines.text import Text
from boruvka.graph.graph import Graph
from boruvka.graph.text_numbers import number_of_text
from boruvka.interop.data_frames import SourceTable

_EXPECTED = {"[PIPES]": "'pipe node1 node2 length'", "[COORDINATES]": "'node x y'"}


def _read(source: InputFile, options: Options) -> Graph:
    text, section, left_out = Text.of(source), "", 0
    numbers: dict[str, int] = {}
    is_closed: dict[str, bool] = {}
    pipes, places = [], {}
    for start, _, after in text.data_lines(b";"):
        words = text.decoded(start, after).partition(";")[0].split()
        if words[0].startswith("["):
            section = words[0].upper()
        elif section in ("[JUNCTIONS]", "[RESERVOIRS]", "[TANKS]"):
            numbers.setdefault(words[0], len(numbers))
        elif section in ("[PUMPS]", "[VALVES]"):
            left_out += 1
        elif section == "[STATUS]":
            is_closed[words[0]] = words[-1].lower() == "closed"
        elif section in _EXPECTED:
            try:
                if section == "[PIPES]":
                    u, v = (numbers.setdefault(end, len(numbers)) for end in words[1:3])
                    pipes.append((words[0], u, v, number_of_text(words[3]), "".join(words[4:5])))
                    is_closed[words[0]] = words[-1].lower() == "closed"
                else:
                    places[words[0]] = number_of_text(words[1]), number_of_text(words[2])
            except GraphError as error:
                raise text.error(start, str(error)) from None
            except (ValueError, IndexError):
                raise text.unexpected(start, _EXPECTED[section]) from None
    if not pipes:
        raise text.unexpected(text.size, "a section [PIPES]")
    if left_out:
        warn(f"{source.path}: pumps and valves have no length, and {left_out} of them are left out")
    if closed := [name for name, *_ in pipes if is_closed[name]]:
        warn(f"{source.path}: closed pipes are left out, {len(closed):,} of {len(pipes):,}: {shown(closed)}")
    columns: Any = ([x[i] for x in pipes if not is_closed[x[0]]] for i in range(5))
    pipe, u, v, w, diameter = columns
    graph = Graph.from_edges(u, v, w, n=len(numbers), names=names_of_words(numbers))
    table = SourceTable({"pipe": pipe, "diameter": diameter}, list(graph.annotations.columns), None)
    graph = graph.annotated(table=table)
    nowhere = math.nan, math.nan
    return graph.with_coordinates([places.get(name, nowhere) for name in numbers]) if places else graph


EPANET = Codec(_read)
