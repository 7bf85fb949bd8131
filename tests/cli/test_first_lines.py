"""The table of docs/formats.md: each line to type is run on such a file."""

import json
import math
import re
import runpy
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DRAWN = runpy.run_path(str(ROOT / "examples" / "first_lines.py"))
PAGE = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| (\d*) ?\| [^|]* \| `(boruvka [^`]*)` \|", PAGE.partition("\n## Choice")[0], re.M)
"""The number of the panel and the line to type, of each row of the table."""


def kilometres(*places):
    """Return the length of a way along places, in degrees, by the haversine formula."""
    total = 0.0
    for (lat, lon), (lat2, lon2) in pairwise(places):
        p, q, r, s = map(math.radians, (lat, lat2, lon, lon2))
        a = math.sin((q - p) / 2) ** 2 + math.cos(p) * math.cos(q) * math.sin((s - r) / 2) ** 2
        total += 2 * 6371.0088 * math.asin(math.sqrt(a))
    return total


PRAHA, BRNO, WIEN = (50.09, 14.42), (49.20, 16.61), (48.21, 16.37)
RIGHT = {
    "roads.csv": 205 + 97,
    "graph.txt": 1.25 + 2 + 4.5,
    "friends.csv": 2,
    "distances.csv": 3 + 4 + 5,
    "distances.phy": 2 + 3 + 3 + 5,
    "network.txt": 1 + 2 + 3,
    "profiles.tsv": 2,
    "core.fasta": 1 + 1,
    "places.csv": kilometres(PRAHA, BRNO, WIEN),
    "network.graphml": 3 + 4,
    "calls.csv": 3 + 2,
    "gaps.csv": 1 + 4,
    "excel.csv": 30.5 + 150.25,
    "pgrouting.csv": 7 + 2,
    "correlations.csv": 0.9 + 0.8 + 0.4,
    "prices.csv": 0 + 2,  # distances of the correlations 1 and -1
    "out.network": 1 + 2,
    "network.edgelist": 1 + 2,
    "tinyEWG.txt": 0.17 + 0.28,
    "d3.json": 7,
    "cities.tsp": 3 + 4,
    "instance.stp": 1 + 2,
    "network.gr": 1 + 2,
    "cloud.ply": 1 + 2,
    "streets.geojson": None,
    "places.geojson": kilometres(PRAHA, BRNO, WIEN),
}
"""The weight of each tree, by hand."""
D3 = {
    "nodes": [{"name": "Anna", "value": 3}, {"name": "Ben"}, {"name": "Carl"}, {"name": "Dora"}],
    "links": [
        {"source": 0, "target": 1, "value": 9},
        {"source": 1, "target": 2, "value": 4},
        {"source": 0, "target": 2, "value": 1},
        {"source": 3, "target": 0, "value": 2},
    ],
}


def geojson(kind, *coordinates):
    features = [
        {"type": "Feature", "properties": {}, "geometry": {"type": kind, "coordinates": each}}
        for each in coordinates
    ]
    return json.dumps({"type": "FeatureCollection", "features": features})


OTHERS = {
    "calls.csv": "caller,called,minutes\nAnn,Bob,3\nBob,Carl,2\nAnn,Carl,8\n",
    "gaps.csv": "u,v,w\na,b,1\nb,c,NA\nc,b,4\n,a,1\n",
    "excel.csv": "from;to;length\nKöln;Bonn;30,5\nKöln;Münster;150,25\nBonn;Münster;190,0\n".encode("cp1252"),
    "pgrouting.csv": "source,target,cost,reverse_cost\n0,1,7,7\n1,2,-1,2\n0,2,-1,-1\n",
    "correlations.csv": ",a,b,c,d\na,1,0.9,0.1,0.2\nb,0.9,1,0.3,0.4\nc,0.1,0.3,1,0.8\nd,0.2,0.4,0.8,1\n",
    "prices.csv": "Date,A,B,C\n2026-01-05,1,2,8\n2026-01-06,2,4,4\n2026-01-07,1,2,8\n2026-01-08,2,4,4\n",
    "out.network": "% sym positive\n1 2 1 1100000000\n2 3 2 1100000001\n1 3 5 1100000002\n",
    "tinyEWG.txt": "3\n3\n1 2 0.3\n0 1 0.28\n2 0 0.17\n",
    "network.edgelist": "# a comment\na b {'weight': 1, 'kind': 'road'}\nb c {'weight': 2}\n"
    "a c {'weight': 3}\n",
    "d3.json": json.dumps(D3),
    "cities.tsp": "NAME: c\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n"
    "1 0 0\n2 0 3.2\n3 4 0\nEOF\n",
    "instance.stp": "33D32945 STP File, STP Format Version 1.0\n\nSECTION Graph\nNodes 4\nEdges 4\n"
    "E 1 2 1\nE 2 3 2\nE 1 3 4\nE 3 4 9\nEND\n\nSECTION Terminals\nTerminals 2\nT 1\nT 3\nEND\n\nEOF\n",
    "network.gr": "c roads\np sp 3 3\na 1 2 1\na 2 3 2\na 1 3 5\n",
    "cloud.ply": "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
    "property float z\nend_header\n0 0 0\n1 0 0\n1 2 0\n",
    "streets.geojson": geojson("LineString", [[14, 50], [14.1, 50]], [[14.1, 50], [14.1, 50.1]]),
    "places.geojson": geojson("Point", *(place[::-1] for place in (PRAHA, BRNO, WIEN))),
}
"""Files of the rows that are not drawn."""


@pytest.mark.parametrize(
    ("number", "typed"),
    [
        pytest.param(*row, marks=[pytest.mark.needs("geopandas")] if "geojson" in row[1] else [])
        for row in ROWS
    ],
)
def test_what_the_table_says_to_type_is_right(number, typed, run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, *words = shlex.split(typed)
    name = words[1]
    if number:
        _, drawn, content = DRAWN["KINDS"][int(number) - 1]
        assert drawn == typed
    else:
        content = OTHERS[name]
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    found = run(*words, "--json")
    assert found.code == 0, found.err
    report = json.loads(found.out)
    assert report["components"] == 1
    if RIGHT[name] is not None:
        assert report["weight"] == pytest.approx(RIGHT[name], rel=1e-12)


def test_all_kinds_are_in_the_table_and_in_the_picture():
    assert [int(number) for number, _ in ROWS if number] == list(range(1, len(DRAWN["KINDS"]) + 1))
    assert {typed.split()[2] for _, typed in ROWS} == RIGHT.keys()
    assert (ROOT / "docs" / "first_lines.svg").read_text(encoding="utf-8") == "\n".join(DRAWN["picture"]())
