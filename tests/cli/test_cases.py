"""Files as people have them: what they type, and the weight that is right."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

CASES = Path(__file__).parents[3] / "shared" / "cases"
RIGHT = [
    ("01_profiles_minus_one.tsv --profiles --id '#Name' --missing ignore", 4),
    ("02_allele_calls.tsv --profiles --id FILE --missing ignore", 3),
    ("03_snps.profile --profiles", 4),
    ("38_aligned.fasta --profiles", 6),
    ("04_matrix_labels.csv", 12),
    ("05_matrix_labels_semicolon.csv", 12),
    ("06_matrix_labels.tsv", 12),
    ("07_phylip.txt", 13),
    ("08_matrix_dashes.txt", 93),
    ("09_matrix_3x3.csv --format matrix", 4),
    ("10_matrix_4x4.txt", 6),
    ("11_upper_triangle.csv", 9),
    ("13_parallel.gml", 5),
    ("14_latin1.gml", 5.5),
    ("15_nan.graphml --missing drop", 6),
    ("16_names.graphml", 7),
    ("17_arcs_and_edges.net", 7.5),
    ("18_no_vertex_lines.net", 10),
    ("19_d3.json", 7),
    ("19_d3.json --maximum", 15),
    ("20_ucinet.dl", 6),
    ("31_edge.col", 10),
    ("33_gephi_0.9.gexf", 5.5),
    ("24_blanks.csv", 5.5),
    ("25_two_columns.csv --unweighted", 3),
    ("out.26_konect", 10),
    ("27_attributes.edgelist", 3),
    ("28_decimal_comma.csv", 990.5),
    ("29_windows_1252.csv", 180),
    ("30_thousands.csv", 1298),
    ("39_cost_reverse_cost.csv", 6),
    ("40_ids_from_1.txt", 10),
    ("21_euc_2d.tsp", 20),
    ("22_geo.tsp", 864),
    ("23_lower_diag_row.tsp", 709),
    ("34_places.geojson --points", 83.3499),
    ("35_cloud.ply --points", 10.0710678118654755),
    ("36_cloud.xyz --points", 10.0710678118654755),
    ("37_pipes.inp", 550),
]


@pytest.fixture
def cases(tmp_path, monkeypatch):
    """Run in a folder with copies of the files; no endings or names are special."""
    if not CASES.is_dir():
        pytest.skip(f"no files in {CASES}")
    shutil.copytree(CASES, tmp_path / "cases")
    monkeypatch.chdir(tmp_path / "cases")


@pytest.mark.parametrize(("typed", "weight"), RIGHT)
def test_what_people_type_is_right(cases, run, typed, weight):
    result = run("solve", *shlex.split(typed), "--json")
    assert json.loads(result.out)["weight"] == pytest.approx(weight, rel=1e-6)
    if typed.startswith("40"):
        assert "--one-based" in result.err


@pytest.mark.parametrize(
    ("typed", "weight"),
    [("12_terminals.stp", 4), ("12_terminals.stp --terminals 1,3,4", 4)],
)
def test_terminals_are_those_of_the_file(cases, run, typed, weight):
    assert json.loads(run("steiner", *shlex.split(typed), "--json").out)["weight"] == weight


@pytest.mark.parametrize(
    ("typed", "rows"),
    [
        ("16_names.graphml", {("Shop", "Home"), ("Depot", "Home")}),
        ("29_windows_1252.csv", {("Köln", "Bonn"), ("Köln", "Münster")}),
        ("14_latin1.gml", {("São Paulo", "Brno")}),
        ("04_matrix_labels.csv", {("iso2", "iso3"), ("iso1", "iso2"), ("iso3", "iso4")}),
        ("19_d3.json", {("Anna", "Carl"), ("Dora", "Anna"), ("Ben", "Carl")}),
        ("34_places.geojson --points", None),
    ],
)
def test_trees_are_written_with_the_names_of_the_file(cases, run, typed, rows):
    text = run("solve", *shlex.split(typed), "--quiet", "-o", "-", "--to", "csv").out
    found = {tuple(sorted(line.split(",")[1:3])) for line in text.splitlines()[1:]}
    assert rows is None or {tuple(sorted(row)) for row in rows} <= found


# Errors: what is said to type works


HELD = {
    "points.csv": "x,y,z\n0.5,2,3\n1,2,4.5\n4,4,4\n5,1,1\n",
    "embedding.csv": "0.5,2,3,7\n1,2,4.5,1\n4,4,4,0\n5,1,1,9\n2,2,3,3\n",
    "places.csv": "name,x,y\na,1.5,2\nb,3,4\nc,4,4\n",
    "cloud.txt": "0.1 0.2 0.3\n0.4 0.5 0.6\n1 2 3\n4 5 5.5\n",
    "named.txt": "a 0.2 0.3\nb 0.5 0.6\nc 2 3\nd 5 5.5\n",
    "people.csv": "person_a,person_b,score\nann,bob,3\nbob,carl,2\n",
    "pairs.csv": "alice,bob\nbob,carl\n",
    "follows.tsv": "follower\tfollowed\nann\tbob\nbob\tcarl\n",
    "contacts.csv": "id_a,id_b,date,score\n1,2,2020-01-01,3\n2,3,2020-01-02,5\n",
    "times.txt": "0 1 5 2\n1 2 3 9\n2 3 1 8\n3 4 2 7\n4 5 1 1\n",
    "profiles.csv": "id,l1,l2,l3,l4,l5\na,1,2,3,4,5\nb,1,2,3,-,5\n",
    "alleles.tsv": "strain_id\tl1\tl2\tl3\tl4\tl5\na\t1\t2\t3\t4\t5\nb\t1\t2\t3\t3\t5\n",
    "loci.tsv": "#ID\tl1\tl2\tl3\tl4\nx\t1\t2\t3\tINF-4\ny\t1\t2\tLNF\t4\n",
    "aligned.fasta": ">s1\nACGT\n>s2\nACGA\n",
    "aligned.txt": ">s1\nACGT\n>s2\nACGA\n",
    "gaps.fasta": ">s1\nAC-T\n>s2\nACGA\n",
    "cloud.ply": "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\n"
    "property float y\nend_header\n0 0\n3 4\n",
    "square.csv": "0,3,9\n3,0,1\n9,1,0\n",
    "network.csv": ",a,b,c,d\na,0,3,0,0\nb,3,0,1,0\nc,0,1,0,2\nd,0,0,2,0\n",
    "gaps.csv": "u,v,w\na,b,1\nb,c,\nc,d,4\n",
}


def hints_in(error):
    """List the options that an error says to pass; each group works alone."""
    groups = []
    for part in re.split(r";\s*|,\s+(?=or |--)", error):
        if "--" in part:
            options = part[part.index("--") :]
            groups.append(shlex.split(re.split(r" (?:for|if|leaves|gives|reads) ", options)[0]))
    return groups


@pytest.mark.parametrize("name", HELD)
def test_each_hint_of_an_error_runs(tmp_path, monkeypatch, run, name):
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(HELD[name])
    refused = run("solve", name)
    assert (refused.code, refused.out) == (2, "")
    hints = hints_in(refused.err)
    assert hints, refused.err
    for hint in hints:
        found = run("solve", name, *hint, "--json")
        assert found.code == 0, (refused.err, hint, found.err)
        assert json.loads(found.out)["forest_edges"] > 0
