"""Matrices as text: networks, and distances in all forms that programs write."""

import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse.csgraph import minimum_spanning_tree
from scipy.spatial.distance import pdist, squareform

from boruvka import Graph, minimum_spanning_forest
from boruvka.errors import FormatError, GraphWarning, OptionError
from boruvka.formats import read, read_forest, write
from tests.formats.helpers import assert_malformed, edges_of

SAYS_NETWORK = "# boruvka zero_is_no_edge\n"
MALFORMED = [
    # name, content, line (None: the file as a whole), part of the message
    ("a.adj", "2\n0 1\n1 0 0\n", 3, "expected a row of 2 numbers, found '1 0 0'"),
    ("a.adj", "2\n0 1\n", 1, "announces 2 rows, but the file holds 1"),
    ("a.adj", "2\n0 1\n1 0\n0 0\n", 1, "announces 2 rows, but the file holds 3"),
    ("a.adj", "2\n0 x\n1 0\n", 2, "expected a row of 2 numbers, found '0 x'"),
    ("a.adj", "0 1\n1 0\n0 0\n", 1, "a square matrix has 2 rows, but the file holds 3"),
    ("a.adj", "0,1\n1,0,0\n", 2, "expected a row of 2 numbers"),
    ("a.adj", f"{10**18}\n0\n", 2, f"expected a row of {10**18} numbers"),
    ("a.adj", "# nothing\n", 1, "expected the number of vertices, or a row of numbers, on the first line"),
]


@pytest.mark.parametrize(("name", "content", "line", "message"), MALFORMED, ids=lambda x: repr(x)[:40])
def test_malformed_files(file, name, content, line, message):
    assert_malformed(file(name, content), line, message)


def test_adjacency_matrix_is_a_dense_graph(file):
    path = file("a.adj", "# comment\n3\n\n7 5 0\r\n5 7 -2.5\n\t0 -2.5 7")
    dense = Graph.from_dense(np.array([[7, 5, 0], [5, 7, -2.5], [0, -2.5, 7]]))
    assert edges_of(read(path)) == edges_of(dense)


@pytest.mark.parametrize("separator", [" ", ",", ";", "\t", ", "])
def test_the_number_of_vertices_may_be_missing(file, separator):
    text = "\n".join(separator.join(row) for row in (["0", "3", "9"], ["3", "0", "1.5"], ["9", "1.5", "0"]))
    expected = Graph.from_dense(np.array([[0, 3, 9], [3, 0, 1.5], [9, 1.5, 0]]))
    assert edges_of(read(file("a.adj", text))) == edges_of(expected)


def test_a_matrix_holds_loops_and_no_parallel_edges(tmp_path):
    path = tmp_path / "a.adj"
    write(Graph(3, [0, 2], [1, 2], [5, 1]), path)
    assert path.read_text() == f"{SAYS_NETWORK}3\n0 5 0\n5 0 0\n0 0 1\n"
    for u, v in ([0, 2, 1], [1, 2, 0]), ([0, 2, 2], [1, 2, 2]):
        with pytest.raises(FormatError, match=r"edge 2 .* is parallel to another of a different weight"):
            write(Graph(3, u, v, [5, 1, 7]), path)
    assert path.read_text() == f"{SAYS_NETWORK}3\n0 5 0\n5 0 0\n0 0 1\n"
    write(read(path), path)  # both entries of an edge are read, and none of the diagonal
    assert path.read_text() == f"{SAYS_NETWORK}3\n0 5 0\n5 0 0\n0 0 0\n"


def test_a_matrix_that_is_not_symmetric(file):
    with pytest.raises(FormatError, match="expected a symmetric matrix"):
        read_forest(file("a.adj", "3\n0 5 2\n5 0 0\n0 0 0\n"), Graph(3, [0], [1], [5]))


# Matrices of distances, in the forms that programs write


def lines_of(rows, separator):
    return "".join(separator.join(map(str, row)) + "\n" for row in rows)


def triangle(names, d, keep, head, separator="\t"):
    """Write a label and the distances (i, j) that are kept in each row, after the number of rows."""
    n = len(names)
    rows = [[names[i], *(d[i, j] for j in range(n) if keep(i, j))] for i in range(n)]
    return head + lines_of(rows, separator)


def blanks(names, d, keep, separator):
    """Write all columns, and nothing where a distance is not kept."""
    n = len(names)
    rows = [[names[i], *(d[i, j] if keep(i, j) else "" for j in range(n))] for i in range(n)]
    return lines_of([["", *names], *rows], separator)


def quoted(names):
    return [f'"{name}"' for name in names]


def r_dist(names, d):
    """Print as R does: the first label is only above the columns."""
    lower = [[name, *d[i, :i]] for i, name in enumerate(names)][1:]
    return lines_of([["   ", *names[:-1]], *lower], "  ")


FORMS = {
    "pandas.csv": lambda names, d: pd.DataFrame(d, names, names).to_csv(),
    "pandas.tsv": lambda names, d: pd.DataFrame(d, names, names).to_csv(sep="\t"),
    "excel.csv": lambda names, d: pd.DataFrame(d, names, names).to_csv(sep=";", lineterminator="\r\n"),
    "bars.txt": lambda names, d: pd.DataFrame(d, names, names).to_csv(sep="|"),
    "no_index.csv": lambda names, d: pd.DataFrame(d, names, names).to_csv(index=False),
    "no_header.csv": lambda names, d: pd.DataFrame(d, names, names).to_csv(header=False),
    "snp_dists.tsv": lambda names, d: "snp-dists 0.8.2" + pd.DataFrame(d, names, names).to_csv(sep="\t"),
    "r_table.txt": lambda names, d: lines_of(
        [quoted(names), *([f'"{name}"', *row] for name, row in zip(names, d, strict=True))], " "
    ),
    "r_csv.csv": lambda names, d: lines_of(
        [['""', *quoted(names)], *([f'"{name}"', *row] for name, row in zip(names, d, strict=True))], ","
    ),
    "r_dist.txt": r_dist,
    "phylip": lambda names, d: triangle(names, d, lambda i, j: True, f"    {len(names)}\n", "  "),
    "lower.phy": lambda names, d: triangle(names, d, lambda i, j: j < i, f"{len(names)}\n", " "),
    "mothur.dist": lambda names, d: triangle(names, d, lambda i, j: j < i, f"{len(names)}\n"),
    "diagonal.phylip": lambda names, d: triangle(names, d, lambda i, j: j <= i, f"{len(names)}\n"),
    "upper.txt": lambda names, d: triangle(names, d, lambda i, j: j >= i, "", " "),
    "lower.csv": lambda names, d: blanks(names, d, lambda i, j: j < i, ","),
    "upper.csv": lambda names, d: blanks(names, d, lambda i, j: j > i, ";"),
    "no_diagonal.tsv": lambda names, d: blanks(names, d, lambda i, j: j != i, "\t"),
}


@st.composite
def matrices(draw, least=4):
    n = draw(st.integers(least, 8))
    number = draw(st.sampled_from([st.integers(1, 20), st.integers(1, 999).map((0.125).__mul__)]))
    pairs = [draw(number) for _ in range(n * (n - 1) // 2)]
    d = np.zeros((n, n), type(pairs[0]))
    d[np.triu_indices(n, 1)] = pairs
    words = st.text("abcxyzéß_.", min_size=1, max_size=5).map("s".__add__)
    names = draw(
        st.one_of(
            st.lists(words, min_size=n, max_size=n, unique=True),
            st.just(list(map(str, range(n)))),
            st.just(list(map(str, range(1, n + 1)))),
        )
    )
    return names, d + d.T


@pytest.mark.filterwarnings("ignore:read as a matrix:boruvka.errors.GraphWarning")
@pytest.mark.parametrize("form", FORMS)
@given(matrices())
def test_distances_are_read_from_each_form(tmp_path_factory, form, matrix):
    names, d = matrix
    path = tmp_path_factory.getbasetemp() / form
    path.write_text(FORMS[form](names, d))
    found = read(path)
    pairs = [(i, j, d[i, j].item()) for i, j in zip(*np.triu_indices(len(d), 1), strict=True)]
    assert edges_of(found) == pairs
    assert found.w.dtype == d.dtype
    has_no_names = names[0] == "0" or (form == "upper.txt" and names[0] == "1")
    if not has_no_names:
        assert list(map(str, found.names)) == names


@pytest.mark.filterwarnings("ignore:read as a matrix:boruvka.errors.GraphWarning")
@pytest.mark.parametrize("none", ["-", "–", "", "NA", "nan", "?", "NULL", r"\N", "#N/A"])
def test_fields_without_a_number_are_no_edges(file, none):
    rows = [["", "a", "b", "c", "d"], ["a", 0, 3, none, 1], ["b", 3, 0, 4, none], ["c", none, 4, none, 2]]
    text = lines_of([*rows, ["d", 1, none, 2, 0]], ",")
    found = read(file("a.csv", text))
    assert edges_of(found) == [(0, 1, 3), (0, 3, 1), (1, 2, 4), (2, 3, 2)]
    assert found.w.dtype == np.int64
    assert edges_of(read(file("b.csv", text), default=9))[1] == (0, 2, 9)
    assert read(file("c.csv", text), names=False).names is None


def test_a_notice_says_what_zeros_are(file):
    equal = "id,a,b,c,d\na,0,0,5,9\nb,0,0,5,9\nc,5,5,0,7\nd,9,9,7,0\n"
    with pytest.warns(GraphWarning, match="of distances of 4 vertices, where 0 is a distance; zero_is"):
        assert read(file("a.csv", equal)).m == 6
    network = "0 3 9 0\n3 0 1 4\n9 1 0 2\n0 4 2 0\n"
    with pytest.warns(GraphWarning, match="of a network of 4 vertices, where 0 means no edge; zero_is"):
        assert minimum_spanning_forest(read(file("a.txt", network))).weight == 6
    for name in "a.csv", "a.adj":
        text = equal if name == "a.csv" else network
        assert read(file(name, text), zero_is_no_edge=False).m == 6
        assert read(file(name, text), zero_is_no_edge=True).m == 10


def test_zeros_that_may_mean_both_are_asked_for(file):
    path = file("a.csv", ",a,b,c,d\na,0,3,0,0\nb,3,0,1,0\nc,0,1,0,2\nd,0,0,2,0\n")
    with pytest.raises(OptionError, match=r"3 of 6 pairs .* zero.*zero_is_no_edge=True for a network"):
        read(path)
    assert read(path, zero_is_no_edge=True).m == 6
    assert minimum_spanning_forest(read(path, zero_is_no_edge=False)).weight == 0


@pytest.mark.filterwarnings("ignore:read as (a|the) matrix:boruvka.errors.GraphWarning")
@pytest.mark.parametrize("has_names", [False, True])
@given(
    st.integers(4, 9), st.sampled_from([1, 3, 100]), st.sampled_from(["network", "equal points"]), st.data()
)
def test_zeros_are_read_as_they_are_meant_or_asked_for(tmp_path_factory, has_names, n, largest, kind, data):
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    if kind == "network":
        weights = np.triu(rng.integers(1, largest + 1, (n, n)) * (rng.random((n, n)) < 0.6), 1)
        weights[0, 1:3] = 1, 0
        weights[1, 2] = largest + 1  # vertices 0 and 2 differ
        weights += weights.T
        right = minimum_spanning_tree(weights).sum()
    else:
        x = rng.integers(0, 2 * largest, (n, 2))
        x[1] = x[0]
        weights = np.abs(x[:, None] - x).sum(axis=2)
        shifted = minimum_spanning_tree(weights + 1 - np.eye(n))
        right = shifted.sum() - shifted.nnz
    names = [f"s{i}" for i in range(n)] if has_names else None
    text = pd.DataFrame(weights, names, names).to_csv(header=has_names, index=has_names)
    path = tmp_path_factory.mktemp("matrix") / "a.csv"
    path.write_text(text)
    try:
        weight = minimum_spanning_forest(read(path)).weight
    except OptionError:
        weight = None
    values = {*weights[~np.eye(n, dtype=bool)].tolist()} - {0}
    assert weight == right or (weight is None and (kind == "network" or len(values) < 2))


def test_a_path_is_asked_for_and_similarities_are_not(file):
    path = file("a.txt", "0 2 0 0\n2 0 3 0\n0 3 0 1\n0 0 1 0\n")
    for options in {}, {"format": "matrix"}:
        with pytest.raises(OptionError, match=r"3 of 6 pairs .*; pass zero_is_no_edge=True for a network"):
            read(path, **options)
    assert minimum_spanning_forest(read(path, zero_is_no_edge=True)).weight == 6
    similar = "1 .9 0 .1\n.9 1 .2 0\n0 .2 1 .3\n.1 0 .3 1\n"
    with pytest.warns(GraphWarning, match="read as a matrix"):
        assert read(file("b.txt", similar)).m == 6


@pytest.mark.parametrize("own", ["2.5", "1", "0"])
def test_what_may_be_covariances(file, own):
    """Numbers on the diagonal that differ may be variances."""
    rows = f"a {own} .9 .8\nb .9 1 .2\nc .8 .2 1\n"
    with pytest.warns(GraphWarning, match="read as a matrix") as told:
        read(file("a.txt", rows))
    assert ("correlations=True if they are covariances" in str(told[0].message)) == (own == "2.5")


def test_names_allow_distances_of_sequences_with_gaps(file):
    rows = "s1 0 0 99 80\ns2 0 0 100 82\ns3 99 100 0 40\ns4 80 82 40 0\n"
    with pytest.warns(GraphWarning, match="where 0 is a distance"):
        assert minimum_spanning_forest(read(file("a.txt", rows))).weight == 120
    with pytest.raises(OptionError, match="1 of 6 pairs"):
        read(file("b.txt", "".join(line[3:] + "\n" for line in rows.splitlines())))


def test_halves_that_differ_name_the_pair(file):
    path = file("a.csv", ",a,b,c\na,0,1,2\nb,1,0,3\nc,2,4,0\n")
    with pytest.raises(FormatError, match=r"the matrix\['b', 'c'\] is 3, but the matrix\['c', 'b'\] is 4"):
        read(path)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("four_edges.txt", "0 1 5 2\n1 2 3 9\n2 3 1 8\n3 4 2 7\n"),
        ("points.csv", "x,y,z,t\n1,2,3,4\n5,1,7,8\n2,8,9,1\n7,7,3,5\n"),
        ("named_points.csv", "a,1,2,3\nb,4,5,7\nc,6,8,2\n"),
    ],
)
def test_other_tables_are_no_matrices(file, name, text):
    with pytest.raises(FormatError, match=r"column"):
        read(file(name, text))


def test_rows_of_numbers_may_be_broken_by_no_line(file):
    path = file("a.csv", ",a,b,c,d\na,0,1,2,3\nb,1,0,4,5\nc,2,4,0\nd,3,5,6,0\n")
    with pytest.raises(FormatError, match=r"a\.csv:"):
        read(path)


OTHER_FORMS = {
    "thousands.csv": ',a,b,c,d\na,0,"1.5",2,3\nb,"1.5",0,4.25,5\nc,2,4.25,0,1\nd,3,5,1,0\n',
    "r_dimnames.txt": "V1 V2 V3 V4\n1 0 1.5 2 3\n2 1.5 0 4.25 5\n3 2 4.25 0 1\n4 3 5 1 0\n",
    "r_names.csv": '"","s.1","s.2","s.3","s.4"\n"s 1",0,1.5,2,3\n"s 2",1.5,0,4.25,5\n'
    '"s 3",2,4.25,0,1\n"s 4",3,5,1,0\n',
    "r_upper.txt": "   a   b    c  d\na     1.5  2  3\nb 1.5      4.25 5\nc 2   4.25      1\nd 3   5    1\n",
    "order.csv": ",a,b,c,d\nd,3,5,1,0\nb,1.5,0,4.25,5\na,0,1.5,2,3\nc,2,4.25,0,1\n",
    "ends.csv": ";a;b;c;d;\na;0;1.5;2;3;\nb;1.5;0;4.25;5;\nc;2;4.25;0;1;\nd;3;5;1;0;\n",
    "empty_lines.csv": ",a,b,c,d\na,0,1.5,2,3\nb,1.5,0,4.25,5\nc,2,4.25,0,1\nd,3,5,1,0\n,,,,\n,,,,\n",
    "signs.csv": ",#1,#2,#3,#4\n#1,0,1.5,2,3\n#2,1.5,0,4.25,5\n#3,2,4.25,0,1\n#4,3,5,1,0\n",
    "one_gap.csv": ",a,b,c,d\na,0,1.5,2,3\nb,1.5,0,4.25,5\nc,2,,0,1\nd,3,5,1,0\n",
    "upper_names.txt": "a 1.5 2 3\nb 4.25 5\nc 1\nd\n",
    "lower.txt": "0\n1.5 0\n2 4.25 0\n3 5 1 0\n",
    "numbers.txt": "101 102 103 104\n101 - 1.5 2 3\n102 1.5 - 4.25 5\n103 2 4.25 - 1\n104 3 5 1 -\n",
    "comma.csv": ";a;b;c;d\na;0;1,5;2;3\nb;1,5;0;4,25;5\nc;2;4,25;0;1\nd;3;5;1;0\n",
    "comma.txt": "0,0 1,5 2,0 3,0\n1,5 0,0 4,25 5,0\n2,0 4,25 0,0 1,0\n3,0 5,0 1,0 0,0\n",
    "german.tsv": "\ta\tb\tc\td\na\t0\t1,5\t2\t3\nb\t1,5\t0\t4,25\t5\nc\t2\t4,25\t0\t1\nd\t3\t5\t1\t0\n",
    "broken.phy": "4\na 0 1.5\n  2 3\nb 1.5 0 4.25\n 5\nc 2 4.25 0 1\nd 3 5 1 0\n",
    "broken_often.phy": "4\na 0 1.5\n 2 3\nb 1.5 0\n 4.25 5\nc 2 4.25\n 0 1\nd 3 5\n 1 0\n",
    "strict.phy": "4\nstrain 1  0 1.5 2 3\nstrain 2  1.5 0 4.25 5\nstrain 3  2 4.25 0 1\nstrain 4  3 5 1 0\n",
    "quoted.csv": '"","a","b","c","d"\n"a","0","1.5","2","3"\n"b","1.5","0","4.25","5"\n'
    '"c","2","4.25","0","1"\n"d","3","5","1","0"\n',
    "bom.csv": "\ufeff,a,b,c,d\r\na,0,1.5,2,3\r\nb,1.5,0,4.25,5\r\nc,2,4.25,0,1\r\nd,3,5,1,0\r\n",
    "comments.tsv": "# distances\nx\ta\tb\tc\td\n\na\t0\t1.5\t2\t3\nb\t1.5\t0\t4.25\t5\n#\n"
    "c\t2\t4.25\t0\t1\nd\t3\t5\t1\t0",
    "no_corner_comma.csv": "a,b,c,d\n0,1.5,2,3\n1.5,0,4.25,5\n2,4.25,0,1\n3,5,1,0\n",
}


@pytest.mark.filterwarnings("ignore:(read as a matrix|numbers have):boruvka.errors.GraphWarning")
@pytest.mark.parametrize("name", OTHER_FORMS)
def test_other_forms_of_numbers_and_rows(file, name):
    found = read(file(name, OTHER_FORMS[name]))
    assert found.w.tolist() == [1.5, 2, 3, 4.25, 5, 1]
    assert found.u.tolist() == [0, 0, 0, 1, 1, 2]


@pytest.mark.filterwarnings("ignore:read as a matrix:boruvka.errors.GraphWarning")
def test_triangles_of_whole_numbers_that_begin_with_one_number(file):
    """It may look like their number of rows."""
    for text, pairs in (
        ("4\n8 10\n9 11 12\n6 10 13 25\n36 27 15 24 30\n", 15),
        ("0\n17 0\n39 28 0\n4 5 6 0\n", 6),
        ("4\n0\n5 0\n6 7 0\n1 2 3 0\n", 6),
        ("5\n6 7\n1 2 3\n4 4 4 4\n", 10),
        ("1\n2 3\n4 5 6\n", 6),
        ("4\n0\n1 0\n2 3 0\n4 5 6 0\n", 6),
        ("1 2 3\n4 5\n6\n", 6),
        ("0 1 2 3\n0 4 5\n0 6\n0\n", 6),
    ):
        for options in {}, {"format": "matrix"}:
            found = read(file("a.txt", text), **options)
            numbers = [int(x) for x in text.split()]
            assert found.m == pairs
            assert set(found.w.tolist()) <= {*numbers}


def test_minus_one_may_mean_none(file):
    text = ",a,b,c,d\na,0,3,-1,1\nb,3,0,4,-1\nc,-1,4,0,2\nd,1,-1,2,0\n"
    with pytest.warns(GraphWarning, match="(-1 is read as no distance|read as a matrix)"):
        assert edges_of(read(file("a.csv", text))) == [(0, 1, 3), (0, 3, 1), (1, 2, 4), (2, 3, 2)]
    correlations = ",a,b,c,d\na,1,.3,-1,.1\nb,.3,1,.4,-1\nc,-1,.4,1,.2\nd,.1,-1,.2,1\n"
    assert read(file("b.csv", correlations), format="matrix").w.min() == -1


@pytest.mark.filterwarnings("ignore:.*(read as|Windows-1252):boruvka.errors.GraphWarning")
def test_labels_in_other_encodings(file):
    text = ",Köln,Bonn,Ulm,São\nKöln,0,1,2,3\nBonn,1,0,4,5\nUlm,2,4,0,6\nSão,3,5,6,0\n"
    for encoding in "utf-8", "cp1252", "utf-16":
        assert read(file("a.csv", text.encode(encoding))).names.tolist() == ["Köln", "Bonn", "Ulm", "São"]


def test_equal_points_become_one_vertex(file):
    rows = ",a,b,c,d\na,0,0,5,9\nb,0,0,5,9\nc,5,5,0,7\nd,9,9,7,0\n"
    with pytest.warns(GraphWarning, match="of distances of 3 vertices"):
        found = read(file("a.csv", rows), collapse=True)
    frame = pd.read_csv(file("b.csv", rows), index_col=0)
    for graph in found, Graph.from_distances(frame, collapse=True):
        assert graph.names.tolist() == ["a", "c", "d"]
        assert graph.profiles.vertex_of.tolist() == [0, 0, 1, 2]
        assert graph.profiles.sizes.tolist() == [2, 1, 1]
        assert minimum_spanning_forest(graph).weight == 12


def test_triangles_with_another_number_of_rows_than_is_stated(file):
    for text in "10\n1 2 3\n4 5\n6\n", "10\n1\n2 3\n4 5 6\n":
        with pytest.raises(FormatError, match=r"a\.adj"):
            read(file("a.adj", text))


@pytest.mark.filterwarnings("ignore:(read as a matrix|.* pairs have no):boruvka.errors.GraphWarning")
def test_gaps_and_defaults_are_exact(file):
    largest = 2**64 - 1
    path = file("a.csv", f",a,b,c\na,0,1,2\nb,1,0,{largest}\nc,2,{largest},0\n")
    assert edges_of(read(path)) == [(0, 1, 1), (0, 2, 2), (1, 2, largest)]
    path = file("b.csv", f",a,b,c\na,0,{2**53 + 1},2\nb,{2**53 + 1},0,NA\nc,2,NA,0\n")
    assert edges_of(read(path)) == [(0, 1, 2**53 + 1), (0, 2, 2)]
    assert edges_of(read(path, default=7.0)) == [(0, 1, 2**53 + 1), (0, 2, 2), (1, 2, 7)]
    with pytest.raises(FormatError, match=r"no type .* holds both default=0\.5 and all other"):
        read(path, default=0.5)
    path = file("c.csv", f",a,b,c\na,0,{largest},2\nb,{largest},0,NA\nc,2,NA,0\n")
    with pytest.raises(FormatError, match=r"no type .* holds both default=-1 and all other"):
        read(path, default=-1)


def test_whole_correlations_without_a_diagonal(file):
    found = read(file("a.csv", ",a,b,c\na,,0,1\nb,0,,-1\nc,1,-1,\n"), correlations=True)
    np.testing.assert_allclose([w for *_, w in edges_of(found)], [2**0.5, 0, 2])


def test_gaps_are_told_whoever_says_that_it_is_a_matrix(file):
    path = file("a.csv", ",a,b,c\na,0,3,2\nb,3,0,NA\nc,2,NA,0\n")
    for options in {"format": "matrix"}, {"zero_is_no_edge": False}:
        with pytest.warns(GraphWarning, match="1 of 3 pairs have no distance, and no edge"):
            assert read(path, **options).m == 2


def test_an_error_about_halves_names_what_the_reader_takes(file):
    path = file("a.csv", ",a,b,c\na,0,1,2\nb,1,0,3\nc,2,4,0\n")
    with pytest.raises(FormatError, match="zero_is_no_edge=True reads a network"):
        read(path)
    assert read(path, zero_is_no_edge=True).m == 6


def test_a_condensed_vector_is_not_collapsed():
    with pytest.raises(OptionError, match="collapse needs a square matrix"):
        Graph.from_distances([0, 5, 5], collapse=True)
    square = [[0, 0, np.nan, 3], [0, 0, np.nan, 3], [np.nan, np.nan, 0, 1], [3, 3, 1, 0]]
    assert Graph.from_distances(square, default=9, collapse=True).n == 3


CELLS = {
    "square": ",A,B,C,D\nA,0,3,4,1\nB,3,0,2,{}\nC,4,2,0,6\nD,1,{},6,0\n",
    "lower": "A,0\nB,3,0\nC,4,2,0\nD,1,{},6,0\n",
    "lower, with a row of one": "A\nB\t3\nC\t4\t2\nD\t1\t{}\t6\n",
    "upper": ";A;B;C;D\nA;0;3;4;1\nB;0;2;{}\nC;0;6\nD;0\n",
    "PHYLIP": "4\nA 0 3 4 1\nB 3 0 2 {}\nC 4 2 0 6\nD 1 {} 6 0\n",
    "no labels": "0 3 4 1\n3 0 2 {}\n4 2 0 6\n1 {} 6 0\n",
}


@pytest.mark.parametrize("cell", ["x", "oo", "/"])
def test_a_text_in_most_cells_is_no_label(file, cell):
    rows = [f"{cell},2,{cell},{cell}", f"2,{cell},3,{cell}", f"{cell},3,{cell},4", f"{cell},{cell},4,{cell}"]
    labelled = ["", "A,B,C,D"] + [f"{label},{row}" for label, row in zip("ABCD", rows, strict=True)]
    for lines, place in (rows, "row 1, column 1"), ([",A,B,C,D", *labelled[2:]], "row A, column A"):
        with pytest.raises(
            (FormatError, OptionError), match=f"{place} of the matrix is '{cell}': write a number, or -"
        ):
            read(file("m.csv", "\n".join(lines) + "\n"))


@pytest.mark.parametrize("form", CELLS)
@pytest.mark.parametrize("cell", ["N", ">20", "abc"])
def test_a_cell_that_is_no_number_is_named(file, form, cell):
    text = CELLS[form].replace("{}", cell)
    found = "row {}, column {} of the matrix is {!r}: write a number, or - for no distance"
    if form == "no labels":
        message = found.format(2, 4, cell)
    else:
        message = found.format(*("DB" if form.startswith("lower") else "BD"), cell)
    for name, options in ("m.txt", {}), ("m.csv", {}), ("m.adj", {}), ("m.txt", {"format": "matrix"}):
        with pytest.raises((FormatError, OptionError), match=re.escape(message)):
            read(file(name, text), **options)
    with pytest.warns(GraphWarning, match="1 of 6 pairs have no distance"):
        assert read(file("m.txt", CELLS[form].replace("{}", "-")), format="matrix").m == 5


@pytest.mark.parametrize("names", [None, ["a b", "c", "-", "007", "É"], [5, 3, 9, 1, 2]])
@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_distances_of_all_pairs(tmp_path, names, dtype):
    """Against SciPy, read by pandas; equal points are at distance 0."""
    points = np.random.default_rng(1).integers(0, 3, (5, 2)).astype(dtype)
    points[1] = points[0]
    graph, path = Graph.from_points(points, "cityblock", names=names), tmp_path / "d.tsv"
    write(graph, path, format="matrix")
    expected = squareform(pdist(points, "cityblock"))
    if names is None:
        assert path.read_text().startswith("5\n")
        found = pd.read_csv(path, sep=" ", header=None, skiprows=1)
    else:
        found = pd.read_csv(path, sep="\t", index_col=0, dtype=str)
        assert found.index.tolist() == found.columns.tolist() == list(map(str, names))
    np.testing.assert_array_equal(found.astype(float), expected)
    back = read(path, zero_is_no_edge=False)
    assert (None if names is None else back.names.tolist()) == names
    np.testing.assert_array_equal(back.w, graph.w)


@pytest.mark.parametrize("name", ["#a", "%", "a\tb", 'a"', " a", ""])
def test_names_that_no_matrix_holds(tmp_path, name):
    graph = Graph.from_points([[0.0], [1.0]], names=["x", name])
    with pytest.raises(FormatError, match="cannot stand in a matrix between tabs; choose Parquet or npz"):
        write(graph, tmp_path / "d.tsv", format="matrix")
    with pytest.raises(FormatError, match="the matrix of a network holds no names of vertices"):
        write(Graph.from_edges(["a"], ["b"], [1]), tmp_path / "d.tsv", format="matrix")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("corner", "is_known"), [("distances", 1), ("cgmlst-dists", 1), ("snp-dists 1", 1), ("x", 0)]
)
def test_the_first_field_says_that_zeros_are_distances(tmp_path, corner, is_known):
    """Where alleles are missing, two strains at distance 0 have different distances to a third."""
    graph = Graph.from_profiles([[1, 0, 3], [1, 2, 3], [1, 5, 4]], missing="ignore", names=list("abc"))
    path = tmp_path / "d.tsv"
    write(graph, path, format="matrix")
    assert path.read_text().startswith("distances\ta\tb\tc\na\t0\t0\t1\n")
    path.write_text(path.read_text().replace("distances", corner))
    if not is_known:
        with pytest.raises(OptionError, match="a zero, which may be a distance or mean no edge"):
            read(path)
        return
    found = read(path)
    assert (found.names.tolist(), found.w.tolist()) == (list("abc"), [0, 1, 2])
