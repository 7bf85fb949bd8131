"""UCINET DL, as an independent writer and the examples of its manual write it."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boruvka.formats import read
from tests.formats.helpers import assert_malformed, canonical

quick = settings(max_examples=40)
LABELS = st.lists(st.sampled_from(["ann", "bob", "cy", "São Paulo", "a b", "x1", "7th"]), unique=True)


@st.composite
def networks(draw):
    """Labels or None, and the value of each pair of vertices."""
    n = draw(st.integers(2, 6))
    labels = draw(LABELS.filter(lambda names: len(names) >= n).map(lambda names: names[:n]))
    values = st.one_of(st.integers(1, 99), st.sampled_from([0.5, 2.25, -3]))
    pairs = draw(
        st.dictionaries(st.sampled_from(list(itertools.permutations(range(n), 2))), values, min_size=1)
    )
    return n, labels, pairs


def quoted(label):
    return f'"{label}"' if " " in label else label


def head(draw, n, form, labels, where):
    keyword = draw(st.sampled_from(["DL n={} format={}", "dl N = {}, FORMAT = {}", "dl\nn={}\nformat = {}"]))
    text = keyword.format(n, form)
    separator = draw(st.sampled_from(["\n", ",", " "]))
    if where == "listed":
        text += "\nLABELS:\n" + separator.join(map(quoted, labels))
    elif where == "embedded":
        text += "\nlabels embedded"
    return text + draw(st.sampled_from(["\ndata:\n", "\nDATA:\n"]))


@pytest.mark.parametrize("where", ["none", "listed", "embedded"])
@pytest.mark.parametrize("form", ["edgelist1", "nodelist1", "fullmatrix"])
@quick
@given(network=networks(), data=st.data())
def test_a_network_comes_back(form, where, network, data, tmp_path):
    n, labels, pairs = network
    if data.draw(st.booleans()):
        pairs = {(j, i): w for (i, j), w in pairs.items()} | pairs
        pairs = {(i, j): pairs[min(i, j), max(i, j)] for i, j in pairs} if form == "fullmatrix" else pairs
    if form == "nodelist1":
        pairs = dict.fromkeys(pairs, 1)
    ids = list(map(quoted, labels)) if where == "embedded" else [str(i + 1) for i in range(n)]
    if form == "edgelist1":
        rows = [[ids[i], ids[j], str(w)] for (i, j), w in pairs.items()]
    elif form == "nodelist1":
        rows = [[ids[i], *(ids[j] for k, j in pairs if k == i)] for i in range(n)]
        rows = [row for row in rows if len(row) > 1]
    else:
        rows = [[str(pairs.get((i, j), 0)) for j in range(n)] for i in range(n)]
        if where == "embedded":
            rows = [ids, *([ids[i], *row] for i, row in enumerate(rows))]
    text = head(data.draw, n, form, labels, where)
    text += "\n".join(data.draw(st.sampled_from([" ", ",", "\t", ", "])).join(row) for row in rows) + "\n"
    path = tmp_path / "a.dl"
    path.write_text(text, encoding="utf-8")
    if where == "embedded" and form != "fullmatrix" and {*itertools.chain(*pairs)} != {*range(n)}:
        return  # the file does not say all labels
    graph = read(path, unweighted=form == "nodelist1")
    assert graph.n == n
    names = labels if where != "none" else list(range(n))
    found = canonical(graph)
    if where != "none":
        number = {name: i for i, name in enumerate(names)}
        order = [number[name] for name in graph.names.tolist()]
        found = sorted((*sorted((order[u], order[v])), w) for u, v, w in found)
    else:
        assert (graph.names, graph.first_id) == (None, 1)
    if form == "fullmatrix" and all(pairs.get((j, i)) == w for (i, j), w in pairs.items()):
        pairs = {(i, j): w for (i, j), w in pairs.items() if i < j}
    assert found == sorted((min(i, j), max(i, j), w) for (i, j), w in pairs.items())


@pytest.mark.parametrize("where", ["none", "listed", "embedded"])
@pytest.mark.parametrize("form", ["fullmatrix", "lowerhalf", "upperhalf"])
@quick
@given(
    network=networks(),
    diagonal=st.sampled_from(["", " diagonal=present", " DIAGONAL = ABSENT", "\ndiagonal absent"]),
    data=st.data(),
)
def test_halves_and_diagonals(form, where, diagonal, network, data, tmp_path):
    n, labels, pairs = network
    pairs = {(min(pair), max(pair)): w for pair, w in pairs.items()}
    ids = list(map(quoted, labels))
    is_there = {"fullmatrix": lambda i, j: True, "lowerhalf": int.__ge__, "upperhalf": int.__le__}[form]
    rows = []
    for i in range(n):
        row = [j for j in range(n) if is_there(i, j) and (i != j or "absent" not in diagonal.lower())]
        rows.append([str(pairs.get((min(i, j), max(i, j)), 7 if i == j else 0)) for j in row])
    if where == "embedded":
        rows = [ids, *([ids[i], *row] for i, row in enumerate(rows))]
    text = head(data.draw, n, form + diagonal, labels, where)
    path = tmp_path / "a.dl"
    path.write_text(text + "\n".join(map(" ".join, rows)) + "\n", encoding="utf-8")
    graph = read(path)
    assert graph.n == n
    assert graph.names is None if where == "none" else graph.names.tolist() == labels
    assert canonical(graph) == sorted((*pair, w) for pair, w in pairs.items())


def test_forms_of_the_manual(tmp_path):
    path = tmp_path / "a.dl"
    path.write_text("DL NR=3, NC=3\nrow labels:\na,b,c\ncolumn labels:\na,b,c\nDATA:\n0 1\n5 1 0 2 5\n2 0")
    graph = read(path)
    assert (graph.names.tolist(), canonical(graph)) == (["a", "b", "c"], [(0, 1, 1), (0, 2, 5), (1, 2, 2)])
    path.write_text("dl n=3 format=edgelist1\ndata:\n1 2 4\n2 3\n\n")
    assert canonical(read(path)) == [(0, 1, 4), (1, 2, 1)]
    assert canonical(read(path, unweighted=True)) == [(0, 1, 1), (1, 2, 1)]
    path.write_text("dl n=3 labels:\n10 20 30\ndata:\n9 1.5 0 1.5 9 0 0 0 9")
    graph = read(path)
    assert (graph.n, graph.names.tolist(), canonical(graph)) == (3, [10, 20, 30], [(0, 1, 1.5)])


EDGES = "dl n=3, format=edgelist1\ndata:\n"


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (EDGES + "1 2 3\n1 4 2\n", 4, "expected edges of 3 vertices as edgelist1, found '1 4 2'"),
        (EDGES + "1 2 3\n1\n", 4, "expected edges of 3 vertices as edgelist1, found '1'"),
        (EDGES + "1 2 3 4\n", 3, "expected edges of 3 vertices as edgelist1"),
        (EDGES + "1 2 x\n", 3, "expected edges of 3 vertices as edgelist1, found '1 2 x'"),
        (EDGES + "1 2 nan\n", 3, "expected edges of 3 vertices as edgelist1"),
        (EDGES + "1 2\n2 3\n", 1, "the edges have no values; pass unweighted=True for weight 1"),
        (EDGES.replace("data", "dat"), 1, "later 'DATA:'"),
        (
            EDGES.replace("edgelist1", "blockmatrix"),
            1,
            "format = fullmatrix' (or lowerhalf, upperhalf, edgelist1, nodelist1)",
        ),
        ("dl nr=3 nc=2\ndata:\n1 2 3 4 5 6\n", 1, "expected 'DL n = 4"),
        ("dl n=3 format=lowerhalf diagonal=absent\ndata:\n1 2 3 4\n", 1, "3 rows, but there are 4 numbers"),
        ("dl n=2\ndata:\n0 1 1\n", 1, "expected a matrix of 2 rows, but there are 3 numbers"),
        ("dl n=2\ndata:\n0 1\n1 x\n", 4, "expected edges of 2 vertices as fullmatrix, found '1 x'"),
        ("dl n=2\nlabels:\na\ndata:\n0 1 1 0\n", None, "one name for each of the 2 vertices, got 1"),
        ("dl n=2\nlabels:\na a\ndata:\n0 1 1 0\n", None, "have the same name 'a'"),
        ("dl n=1000000000\ndata:\n0 1\n", 1, "expected a matrix of 1000000000 rows"),
    ],
)
def test_malformed_files(file, content, line, message):
    assert_malformed(file("a.dl", content), line, message)


@pytest.mark.parametrize(
    "repeated", ["labels: col labels: ", "col labels: ", "labels:", "data ", "n n= ", "n" * 9]
)
def test_a_head_without_data_is_read_in_linear_time(repeated, tmp_path):
    path = tmp_path / "a.dl"
    path.write_text("dl n=3 " + repeated * 20_000)
    assert_malformed(path, 1, "expected 'DL n = 4, format = fullmatrix'")


def test_labels_of_rows_and_of_columns(tmp_path):
    path = tmp_path / "a.dl"
    path.write_text("dl n=2 format=edgelist1\ncol labels:\nx,y\nrow labels:\na,b\ndata:\n1 2 5\n")
    assert read(path).names.tolist() == ["a", "b"]


@pytest.mark.parametrize("where", ["labels: Köln,Ulm\ndata:\n1 2 5", "labels embedded\ndata:\nKöln Ulm 5"])
def test_windows_1252(where, tmp_path):
    path = tmp_path / "a.dl"
    path.write_text(f"dl n=2 format=edgelist1\n{where}\n", encoding="cp1252")
    with pytest.warns(UserWarning, match="is read as Windows-1252"):
        assert read(path).names.tolist() == ["Köln", "Ulm"]
