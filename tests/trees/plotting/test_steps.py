"""Kruskal's and Prim's algorithms edge by edge, compared with NetworkX, and with textbook code."""

import itertools
import re

import networkx as nx
import numpy as np
import pytest

import boruvka
from boruvka.errors import GraphError, GraphTypeError, OptionError
from boruvka.trees.plotting.animation import NEW, frames
from boruvka.trees.plotting.step_table import NO_EDGE
from boruvka.trees.plotting.steps import MAX_LISTED, steps_of
from boruvka.trees.plotting.style import new_figure, weight_texts
from boruvka.trees.plotting.textbook import COLORS

SQUARE = [("a", "b", 1), ("b", "c", 2), ("a", "c", 2), ("c", "d", 5), ("x", "y", 3), ("y", "y", 0)]


def solved(graph, **options):
    return boruvka.minimum_spanning_forest(graph, backend="interpreted", **options)


TIE = "; tie with a – c, later in the list: another tree"


def random_forest(seed, *, ties=False, maximum=False):
    """A graph of up to 10 vertices that may have several components, parallel edges and loops."""
    rng = np.random.default_rng(seed)
    n, m = rng.integers(1, 11), rng.integers(0, 25)
    w = rng.integers(-2, 3, m) if ties else rng.permutation(m)
    return solved((*rng.integers(0, n, (2, m)), w, int(n)), maximum=maximum)


def drawing_of(forest, algorithm, start=None):
    return steps_of(forest, algorithm, start, None, None)


def looked_at(drawing):
    return [step.edge for step in drawing.steps if step.edge != NO_EDGE]


def listed_edges(drawing):
    return list(zip(drawing.u.tolist(), drawing.v.tolist(), drawing.w.tolist(), strict=True))


@pytest.mark.parametrize("maximum", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_kruskal_takes_the_edges_of_networkx_in_its_order(seed, maximum):
    forest = random_forest(seed, maximum=maximum)
    drawing = drawing_of(forest, "kruskal")
    graph, edges = nx.MultiGraph(), listed_edges(drawing)
    graph.add_nodes_from(range(forest.n))
    graph.add_weighted_edges_from((u, v, w) for u, v, w in edges)
    find = nx.maximum_spanning_edges if maximum else nx.minimum_spanning_edges
    theirs = [data["weight"] for *_, data in find(graph, algorithm="kruskal", keys=True)]
    looked = looked_at(drawing)
    assert [edges[k][2] for k in looked if drawing.result(k) == "taken"] == theirs
    weights = [edges[k][2] for k in looked]
    assert weights == sorted(weights, reverse=maximum)
    rest = [edges[k][2] for k in np.flatnonzero(drawing.step_of == 0)]
    assert sorted(weights + rest) == sorted(forest.graph.w.tolist())
    for k in looked:
        if (
            drawing.result(k) == "refused"
        ):  # what is taken before and the cycle of the edge are as NetworkX finds
            before = looked[: looked.index(k)]
            taken = nx.Graph([edges[e][:2] for e in before if drawing.result(e) == "taken"])
            taken.add_nodes_from(range(forest.n))
            nodes = nx.shortest_path(taken, *edges[k][:2])
            ends = {frozenset(edges[e][:2]) for e in drawing.cycles[k].tolist()}
            assert ends == set(map(frozenset, itertools.pairwise(nodes)))


@pytest.mark.parametrize("seed", range(8))
def test_prim_takes_the_edges_of_networkx_in_its_order(seed):
    """NetworkX starts at the vertex that it pops first from a set, which is 0 of small integers."""
    forest = random_forest(seed)
    drawing = drawing_of(forest, "prim")
    graph, edges = nx.MultiGraph(), listed_edges(drawing)
    graph.add_nodes_from(range(forest.n))
    graph.add_weighted_edges_from(edges)
    theirs = [data["weight"] for *_, data in nx.minimum_spanning_edges(graph, algorithm="prim", keys=True)]
    assert [edges[k][2] for k in looked_at(drawing) if drawing.result(k) == "taken"] == theirs


@pytest.mark.parametrize("maximum", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_prim_looks_at_the_first_edge_of_the_queue(seed, maximum):
    """A search through all edges finds each queue, with many equal weights."""
    forest = random_forest(seed, ties=True, maximum=maximum)
    start = forest.n // 2
    drawing = drawing_of(forest, "prim", start)
    edges = listed_edges(drawing)
    inside, gone = set(), set()

    def queue():
        ends = [k for k, (u, v, _) in enumerate(edges) if k not in gone and {u, v} & inside]
        return sorted(ends, key=lambda k: (-edges[k][2] if maximum else edges[k][2], k))

    expected = []
    for step in drawing.steps:
        if step.edge == NO_EDGE:
            assert not expected
            inside.add(min(set(range(forest.n)) - inside) if inside else start)
        else:
            assert step.edge == expected[0]
            ends = set(edges[step.edge][:2])
            assert (drawing.result(step.edge) == "taken") == bool(ends - inside)
            inside |= ends
            gone.add(step.edge)
        gone |= {
            k for k, (u, v, _) in enumerate(edges) if {u, v} <= inside and k not in expected and k not in gone
        }
        expected = queue()
        assert [k for k in step.listed if k != step.edge] == expected
        assert set(np.flatnonzero(step.trees >= 0)) == inside
    assert inside == set(range(forest.n))


@pytest.mark.parametrize("algorithm", ["kruskal", "prim"])
def test_the_forest_is_taken(algorithm):
    """Also with required edges, which come first, excluded ones, and of points and matrices."""
    distances = np.array([[0, 2, 3], [2, 0, 4], [3, 4, 0]])
    for forest in (
        solved(SQUARE, required=[3, 2]),
        solved(SQUARE, excluded=[0]),
        solved(SQUARE).update(removed=[0]),
        boruvka.minimum_spanning_forest(boruvka.Graph.from_points([[0.0, 0], [1, 0], [0, 2], [5, 5]])),
        solved(boruvka.Graph.from_distances(distances)),
    ):
        drawing = drawing_of(forest, algorithm)
        taken = [k for k in looked_at(drawing) if drawing.result(k) == "taken"]
        ends = {frozenset((drawing.u[k], drawing.v[k])) for k in taken}
        assert ends == set(map(frozenset, zip(forest.u, forest.v, strict=True)))
        assert len(taken) == len(forest)


def test_captions_and_cells():
    made = frames(drawing_of(solved(SQUARE), "kruskal"))
    assert [frame.caption for frame in made] == [
        "Before step 1: 6 components, each a vertex; 6 sorted edges",
        "Step 1: y – y (0) is refused: it is a loop; weight 0",
        "Step 2: a – b (1) is taken: it joins two components, 5 are left; weight 1",
        f"Step 3: b – c (2) is taken: it joins two components, 4 are left{TIE}; weight 3",
        "Step 4: a – c (2) is refused: it closes a cycle of 3 edges; weight 3",
        "Step 5: x – y (3) is taken: it joins two components, 3 are left; weight 6",
        "Step 6: c – d (5) is taken: it joins two components, 2 are left; weight 11",
    ]
    assert made[4].cells == ("a – c", "2", "refused", "it closes a cycle of 3 edges", "3")
    made = frames(drawing_of(solved(SQUARE), "prim", "c"))
    assert [frame.caption for frame in made] == [
        "Before step 1: the tree is c; 3 edges in the queue",
        f"Step 1: b – c (2) is taken: it leads to b, the tree has 2 vertices{TIE}; weight 2",
        "Step 2: a – b (1) is taken: it leads to a, the tree has 3 vertices; weight 3",
        "Step 3: a – c (2) is refused: it closes a cycle of 3 edges; weight 3",
        "Step 4: c – d (5) is taken: it leads to d, the tree has 4 vertices; weight 8",
        "Step 5: the queue was empty, another tree starts at x; 1 edge in the queue",
        "Step 6: x – y (3) is taken: it leads to y, the tree has 2 vertices; weight 11. "
        "1 edge is not looked at",
    ]
    made = frames(drawing_of(solved(SQUARE[:3]), "kruskal"))
    assert made[-1].caption.endswith("1 edge is not looked at")


def drawn(drawing, number):
    figure = new_figure(*drawing.figure_size)
    figure.set_layout_engine("none")
    drawing.draw(figure, list(drawing.states())[number])
    figure.canvas.draw()
    return figure.axes


def test_the_list_beside_the_graph():
    graph, beside = drawn(drawing_of(solved(SQUARE), "kruskal"), 4)
    words = [text.get_text() for text in beside.texts]
    assert words[0] == "Edges, lightest first"
    rows = list(zip(words[1::3], words[2::3], words[3::3], strict=True))
    assert rows == [
        ("✗", "y – y", "0"),
        ("✓", "a – b", "1"),
        ("✓", "b – c", "2"),
        ("✗", "a – c", "2"),
        ("", "x – y", "3"),
        ("", "c – d", "5"),
    ]
    black = [line.get_linestyle() for line in graph.lines if line.get_color() == NEW]
    assert black == ["--", "-", "-"]  # the edge that is refused, and the other edges of the cycle
    _, beside = drawn(drawing_of(solved(SQUARE), "prim", "a"), 1)
    words = [text.get_text() for text in beside.texts]
    rows = list(zip(words[1::3], words[2::3], words[3::3], strict=True))
    assert rows == [("✓", "a – b", "1"), ("+", "b – c", "2"), ("", "a – c", "2")]


@pytest.mark.parametrize("size", [6, MAX_LISTED])
def test_texts_are_in_the_picture_and_apart(size):
    """Of the longest list too, with long names, and weights of many digits."""
    names = [f"a long name {k}" for k in range(18)]
    weights = 2**62 + np.arange(size)
    ends = np.arange(size) % 7, 7 + np.arange(size) % 11
    forest = solved(boruvka.Graph.from_edges(*ends, weights, n=18, names=names))
    _, beside = drawn(drawing_of(forest, "kruskal"), 3)
    texts = [text for text in beside.texts if text.get_text()]
    width, height = beside.figure.canvas.get_width_height()
    boxes = [text.get_window_extent() for text in texts]
    assert all(min(box.x0, box.y0) >= 0 and box.x1 <= width and box.y1 <= height for box in boxes)
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])


@pytest.mark.long
def test_which_algorithm_is_shown(tmp_path):
    path = tmp_path / "a.html"
    for found, asked, shown in [
        (None, None, "Borůvka"),
        ("kruskal", None, "Kruskal"),
        ("prim", None, "Prim"),
        ("filter-kruskal", None, "Borůvka"),
        ("prim", "boruvka", "Borůvka"),
        (None, "prim", "Prim"),
    ]:
        forest = boruvka.minimum_spanning_forest(SQUARE, algorithm=found or "auto")
        forest.animate(path, algorithm=asked)
        text = path.read_text(encoding="utf-8")
        assert f"<title>{shown}&#x27;s algorithm" in text
        assert "[[" not in text.partition("const frames")[0]
        assert (">Step</th>" in text, ">Round</th>" in text) == (shown != "Borůvka", shown == "Borůvka")


@pytest.mark.parametrize("n", [1, 3])
def test_no_edges(n):
    for algorithm, count in ("kruskal", 1), ("prim", n):
        assert len(frames(drawing_of(solved(([], [], [], n)), algorithm))) == count


def test_names_are_no_formulas_and_no_markup(tmp_path):
    solved([("$a$", "<b>", 1)]).animate(tmp_path / "a.html", algorithm="kruskal")
    assert "<td>$a$ – &lt;b&gt;</td>" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_names_that_are_html_or_places_of_the_template(tmp_path):
    path = tmp_path / "a.html"
    solved([("<!--<script>", "[[milliseconds]]", 1), ("[[frames]]", "b", 2)]).animate(
        path, algorithm="kruskal"
    )
    page = path.read_text()
    assert "<!--<script>" not in page
    assert min(page.count("[[milliseconds]]"), page.count("[[frames]]")) >= 2  # in the data and in the table


def test_weights_that_differ_in_late_digits():
    edges = [("a", "b", 123456789.5), ("b", "c", 123456789.25), ("c", "d", 0.1)]
    assert drawing_of(solved(edges), "kruskal").weights == ["123456789.5", "123456789.25", "0.1"]


def test_required_edges_are_announced():
    assert (
        drawing_of(solved(SQUARE, required=[0]), "kruskal").heading == "Edges, required, then lightest first"
    )
    for algorithm in "boruvka", "kruskal", "prim":
        table = solved(SQUARE, required=[0]).steps(algorithm)
        assert ["required" in why for why in table.why] == [edge == 0 for edge in table.edge]


def test_large_graphs_of_a_solver_show_rounds(tmp_path):
    """Without an algorithm, the one that found the forest is shown only where its steps can be."""
    forest = boruvka.minimum_spanning_forest(boruvka.generators.grid(9, 9), algorithm="prim")
    forest.animate(tmp_path / "a.html")
    assert "Borůvka" in (tmp_path / "a.html").read_text()


def test_pictures_and_starts_have_the_ids_of_the_file(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("1,2,5\n2,3,1\n1,3,2\n")
    forest = solved(boruvka.read(path, one_based=True))
    drawing = drawing_of(forest, "prim", 3)
    assert drawing.names == ["1", "2", "3"]
    assert drawing.caption(next(drawing.states())).startswith("Before step 1: the tree is 3;")
    assert sorted(text.get_text() for text in forest.plot(labels=True).texts) == ["1", "2", "3"]
    for wrong in 0, 4:
        with pytest.raises(
            GraphError, match=f"start = {wrong} is not a vertex: .* from 1 to 3, as in the file"
        ):
            forest.animate(tmp_path / "a.gif", algorithm="prim", start=wrong)


def test_a_next_best_tree_is_drawn_by_plot(tmp_path):
    second = list(solved(([0, 1, 2], [1, 2, 0], [1, 2, 3])).ranked())[1]
    with pytest.raises(GraphError, match=r"animate is for .*: draw it by tree.plot\(graph_edges=True\)"):
        second.animate(tmp_path / "a.gif")


def test_wrong_arguments(tmp_path):
    path, forest = tmp_path / "a.gif", solved(SQUARE)
    with pytest.raises(OptionError, match="algorithm must be one of boruvka, kruskal, prim"):
        forest.animate(path, algorithm="dijkstra")
    with pytest.raises(OptionError, match=r"got 'Prim': did you mean prim\?"):
        forest.animate(path, algorithm="Prim")
    with pytest.raises(GraphTypeError, match=r"got 'prim': is it algorithm='prim'\?"):
        forest.animate(path, "prim")
    with pytest.raises(
        GraphTypeError, match=r"got 'a\.png': .* forest.plot\(\).figure.savefig\(path\) saves a picture"
    ):
        forest.plot("a.png")
    with pytest.raises(GraphError, match=r"^start = 'z' is the name of no vertex"):
        forest.animate(path, algorithm="prim", start="z")
    for algorithm in None, "boruvka", "kruskal":
        with pytest.raises(OptionError, match="start is for algorithm='prim'"):
            forest.animate(path, algorithm=algorithm, start="a")
    for start in "z", 0, ["a"]:
        with pytest.raises((GraphError, GraphTypeError), match="start"):
            forest.animate(path, algorithm="prim", start=start)
    with pytest.raises(GraphError, match="starts at a vertex, and the graph has none"):
        solved(([], [], [], 0)).animate(path, algorithm="prim")
    many = solved((np.zeros(MAX_LISTED + 1, int), np.ones(MAX_LISTED + 1, int), np.arange(MAX_LISTED + 1)))
    with pytest.raises(
        GraphError,
        match=r"60 vertices and 100 edges, and this one has 2 and 101: take .*; steps\(\) .* lists them",
    ):
        many.animate(path, algorithm="kruskal")
    with pytest.raises(GraphError, match="has 61 and 1: take a part of it, or algorithm='boruvka'"):
        solved(([0], [1], [1], 61)).animate(path, algorithm="prim")
    assert not list(tmp_path.iterdir())


def test_weights_are_on_their_edges():
    """Czech cities at their coordinates: short edges have room for a weight, but not for arrows beside it."""
    cities = {
        "Praha": (14.42, 50.08),
        "Brno": (16.6, 49.2),
        "Olomouc": (17.25, 49.59),
        "Zlín": (17.66, 49.22),
    }
    forest = solved(
        [
            ("Brno", "Praha", 205.5),
            ("Brno", "Olomouc", 77.4),
            ("Brno", "Zlín", 98),
            ("Zlín", "Olomouc", 64),
            ("Praha", "Ostrava", 340),
        ]
    )
    drawing = steps_of(forest, "kruskal", None, cities | {"Ostrava": (18.26, 49.82)}, None)
    assert drawing.weights == ["205.5", "77.4", "98.0", "64.0", "340.0"]
    for place, curve in zip(drawing.places, drawing.curves, strict=True):
        assert np.hypot(*(curve - place).T).min() < 0.01


def test_unlike_weights_look_unlike_in_the_graph_and_in_the_list():
    edges = [("A", "B", 11.25), ("B", "C", 11.2), ("C", "A", 11.24), ("C", "D", 1234.5678)]
    for drawing in drawing_of(solved(edges), "kruskal"), drawing_of(solved(edges), "prim"):
        expected = {"11.25", "11.2", "11.24", "1234.57"}
        graph, beside = drawn(drawing, 1)
        assert {text.get_text() for text in graph.texts} - set("ABCD") == expected
        assert {text.get_text() for text in beside.texts} >= {"11.25", "11.2"}


@pytest.mark.parametrize(
    ("w", "digits", "expected"),
    [
        ([1.0, 2.5, 1 / 3], 4, ["1", "2.5", "0.3333"]),
        ([0.4, -0.35, 3.0], 4, ["0.40", "-0.35", "3.00"]),
        ([1234.5, 0.25], 4, ["1234", "0.25"]),
        ([4.0, 1e300], 4, ["4", "1e+300"]),
        ([0.1 + 0.2, 0.3, -0.0], 4, ["0.30000000000000004", "0.3", "0"]),
        ([123456.75, 1e300, 1e-9, np.inf], 4, ["123457", "1e+300", "1e-09", "inf"]),
        ([1.00001, 1.00002], 4, ["1.00001", "1.00002"]),
        (np.array([2**62, 2**62 + 1]), 4, [str(2**62), str(2**62 + 1)]),
        ([], 6, []),
    ],
)
def test_weights_as_texts(w, digits, expected):
    assert weight_texts(np.array(w), digits) == expected


@pytest.mark.parametrize("maximum", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_tables_have_the_steps_of_the_pictures(seed, maximum):
    forest = random_forest(seed, ties=True, maximum=maximum)
    for algorithm in "kruskal", "prim":
        drawing, table = drawing_of(forest, algorithm), forest.steps(algorithm)
        rows = list(map(drawing.cells, drawing.states()))[1:]
        ends = zip(table.source, table.target, strict=True)
        assert [" – ".join(pair) * bool(pair[1]) for pair in ends] == [row[0] for row in rows]
        assert table.weight.tolist() == [int(row[1]) if row[0] else None for row in rows]
        assert table.taken.tolist() == [row[2] == "taken" for row in rows]
        assert table.why == [row[3] for row in rows]
        assert table.step.tolist() == list(range(1, len(rows) + 1))
        assert [*map(str, table.total)] == [row[4] for row in rows]
        known = nx.empty_graph(forest.n)
        for edge, taken, count in zip(table.edge, table.taken, table.components, strict=True):
            known.add_edges_from([(forest.graph.u[edge], forest.graph.v[edge])] * bool(taken))
            assert count == nx.number_connected_components(known)
        assert sorted(table.edge[table.taken].tolist()) == forest.edges.tolist()
        is_edge = table.edge >= 0
        assert forest.graph.w[table.edge[is_edge]].tolist() == table.weight[is_edge].tolist()


def differs_if_taken_before(edges, edge, other):
    """Whether Kruskal's algorithm finds another tree if it looks at an edge after another one."""

    def tree(order):
        known = nx.utils.UnionFind()
        return {
            k for k in order if known[edges[k][0]] != known[edges[k][1]] and not known.union(*edges[k][:2])
        }

    order = sorted(range(len(edges)), key=lambda k: (edges[k][2], k))
    moved = [k for k in order if k != other]
    moved.insert(moved.index(edge), other)
    return tree(order) != tree(moved)


@pytest.mark.parametrize("algorithm", ["kruskal", "prim"])
@pytest.mark.parametrize("seed", range(4))
def test_ties_that_change_the_tree(seed, algorithm):
    forest = random_forest(seed, ties=True)
    graph, table = forest.graph, forest.steps(algorithm)
    edges = list(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True))
    for edge, taken, why in zip(table.edge.tolist(), table.taken.tolist(), table.why, strict=True):
        if not taken:
            assert "tie" not in why
            continue
        _, _, tie = why.partition("; tie with ")
        ends, _, result = tie.partition(", later in the list: ")
        u, v, w = edges[edge]
        later = [k for k, x in enumerate(edges) if k > edge and x[2] == w and x[:2] != (v, u)]
        named = [k for k in later if " – ".join(map(str, edges[k][:2])) == ends]
        changing = {k for k in later if differs_if_taken_before(edges, edge, k)}
        assert not tie or (bool({*named} & changing), result) == (result == "another tree", result)
        if algorithm == "kruskal":  # others may not be in the queue
            assert bool(changing) == (result == "another tree")


@pytest.mark.parametrize("algorithm", ["boruvka", "kruskal", "prim"])
def test_tables_of_complete_graphs(algorithm):
    """A symmetric matrix has each pair twice, which counts once."""
    upper = np.triu(np.random.default_rng(3).integers(1, 99, (30, 30)), 1)
    d = upper + upper.T
    network, distances = boruvka.Graph.from_dense(d), boruvka.Graph.from_distances(d)
    table, other = (solved(graph).steps(algorithm) for graph in (network, distances))
    expected = nx.minimum_spanning_tree(nx.from_numpy_array(d)).size("weight")
    assert table.total[-1] == other.total[-1] == expected
    assert (table.why, table.queue) == (other.why, other.queue)
    with pytest.raises(GraphError, match=r"has 30 and 435: take .*; steps\(\) \(\.csv\) lists them"):
        solved(network).animate("a.gif", algorithm="prim")


@pytest.mark.parametrize("seed", range(6))
def test_the_table_of_rounds(seed):
    """Each component, found by NetworkX, chooses its first edge in the order (weight, index)."""
    forest = random_forest(seed, ties=True)
    table, graph = forest.steps("boruvka"), forest.graph
    edges = list(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True))
    known, rows = nx.Graph(), list(zip(table.step, table.edge, table.why, strict=True))
    known.add_nodes_from(range(forest.n))
    for number in range(1, int(table.step.max(initial=0)) + 1):
        expected = {}
        for component in nx.connected_components(known):
            leaving = [k for k, (u, v, _) in enumerate(edges) if (u in component) != (v in component)]
            if leaving:
                first = min(leaving, key=lambda k: (edges[k][2], k))
                expected.setdefault(first, set()).add(frozenset(component))
        found = {edge: why for step, edge, why in rows if step == number}
        so_far = graph.w[table.edge[table.step <= number]]
        assert {table.total[k] for k in np.flatnonzero(table.step == number)} == {so_far.sum()}
        assert found.keys() == expected.keys()
        for edge, components in expected.items():
            named, _, tie = found[edge].removeprefix("chosen by ").partition("; tie with ")
            named = named.split(" and ")
            ties = [
                k
                for k, (u, v, w) in enumerate(edges)
                if k > edge
                and w == edges[edge][2]
                and any((u in c) != (v in c) for c in components)
                and (v, u) != edges[edge][:2]  # the same edge in the other direction
            ]
            changing = [k for k in ties if differs_if_taken_before(edges, edge, k)]
            told = [
                f"{' – '.join(map(str, edges[k][:2]))}, later in the list" for k in (changing or ties)[:1]
            ]
            assert tie == "".join(f"{ends}: {'another' if changing else 'the same'} tree" for ends in told)
            assert {len(text.split(", ")) for text in named} == {min(len(c), 7) for c in components}
        known.add_edges_from(edges[edge][:2] for edge in found)
    assert sorted(table.edge.tolist()) == forest.edges.tolist()
    assert table.taken.all()


def test_a_table_as_text_and_as_frame():
    forest = solved(SQUARE)
    pytest.importorskip("pandas")
    page = boruvka.minimum_spanning_forest([("<a>", "b", 4)]).steps("kruskal")._repr_html_()
    names = ["step", "source", "target", "weight", "taken", "total", "why"]
    assert re.findall("<th>(.*?)</th>", page) == names
    assert re.findall("<td>(.*?)</td>", page)[1:4] == ["&lt;a&gt;", "b", "4"]
    assert repr(forest.steps("kruskal")).splitlines() == [
        "step  edge   weight  result   total  why",
        "   1  y – y       0  refused      0  it is a loop",
        "   2  a – b       1  taken        1  it joins two components, 5 are left",
        f"   3  b – c       2  taken        3  it joins two components, 4 are left{TIE}",
        "   4  a – c       2  refused      3  it closes a cycle of 3 edges",
        "   5  x – y       3  taken        6  it joins two components, 3 are left",
        "   6  c – d       5  taken       11  it joins two components, 2 are left",
    ]
    assert repr(forest.steps("prim", "x")).splitlines()[1].endswith("it leads to y, the tree has 2 vertices")
    with pytest.raises(AttributeError, match=r"'to_latex'; write steps\.to_pandas\(\), a frame"):
        _ = forest.steps().to_latex
    frame = forest.steps().to_pandas()
    assert list(frame) == [
        "step",
        "edge",
        "source",
        "target",
        "weight",
        "taken",
        "total",
        "why",
        "components",
        "queue",
    ]
    assert frame["why"].tolist() == [
        "chosen by {a} and {b}",
        "chosen by {c}" + TIE,
        "chosen by {d}",
        "chosen by {x} and {y}",
    ]
    assert len(solved(([], [], [], 2)).steps("kruskal").edge) == 0
    assert repr(solved(([], [], [], 0)).steps()) == "step  edge  weight  result  total  why"


def test_the_queue_of_islands():
    """The start of a tree is a row; the queue is what textbook code has, lightest first."""
    table = solved([("a", "b", 1), ("b", "c", 3), ("a", "c", 2), ("x", "y", 2)]).steps("prim")
    assert table.queue == ["a – c 2, b – c 3", "b – c 3", "", "x – y 2", ""]
    assert [row[:6] for row in table][2:] == [
        (3, 1, "b", "c", 3, False),
        (4, -1, "x", "", None, False),
        (5, 3, "x", "y", 2, True),
    ]
    start = "the queue was empty, another tree starts at x; 1 edge in the queue"
    assert repr(table).splitlines()[4] == f"   4  x              start        3  {start}"
    assert table.components.tolist() == [4, 3, 3, 3, 2]
    assert table.to_pandas()["weight"].isna().tolist() == [False, False, False, True, False]
    assert solved(([], [], [], 2)).steps("prim").source == ["1"]
    large = solved(([0, 1], [1, 2], np.array([2**64 - 2, 2**64 - 1], np.uint64))).steps("kruskal")
    assert (large.weight.tolist(), large.total) == ([2**64 - 2, 2**64 - 1], [2**64 - 2, 2**65 - 3])
    assert repr(large).splitlines()[2].split()[4:7] == [
        "18446744073709551615",
        "taken",
        "36893488147419103229",
    ]
    assert solved(SQUARE).steps("boruvka").components.tolist() == [2] * 4


def test_errors_of_tables():
    forest = boruvka.minimum_spanning_forest(boruvka.generators.grid(40, 40))
    with pytest.raises(GraphError, match=r"up to 1,000 vertices and 5,000 edges"):
        forest.steps("kruskal")
    with pytest.raises(GraphError, match=r"1,000 vertices.*edge_rounds"):
        forest.steps()
    with pytest.raises(OptionError, match="start is for algorithm='prim'"):
        solved(SQUARE).steps("kruskal", start="a")
    with pytest.raises(GraphError, match="random tree"):
        boruvka.random_spanning_tree(solved(SQUARE).graph, seed=1).steps()


@pytest.mark.parametrize("seed", range(3))
def test_no_two_trees_share_a_color(seed):
    edges = np.random.default_rng(seed).permutation([(i, i + 1, 1) for i in range(23)])
    drawing = drawing_of(solved([tuple(edge) for edge in edges.tolist()]), "kruskal")
    for state in drawing.states():
        colors = drawing.levels(state.color_ids)
        trees = [np.unique(colors[state.labels == x]).tolist() for x in range(int(state.labels.max()) + 1)]
        sizes = np.bincount(state.labels).tolist()
        assert all((tree == [len(COLORS)]) == (size == 1) for tree, size in zip(trees, sizes, strict=True))
        several = [tree for tree, size in zip(trees, sizes, strict=True) if size > 1]
        assert len({*map(tuple, several)}) == len(several)
        assert all(len(tree) == 1 for tree in trees)


@pytest.mark.parametrize(("n", "are_many"), [(11, False), (12, True)])
def test_of_many_edges_only_those_of_the_forest_have_weights(n, are_many):
    edges = [(a, b, 100 + a * n + b) for a in range(n) for b in range(a)]
    forest = solved(edges)
    steps = forest.steps("kruskal")
    ax = drawn(steps_of(forest, "kruskal", None, None, None), 6)[0]
    shown = {text.get_text() for text in ax.texts if len(text.get_text()) == 3}
    taken = set(map(str, steps.weight[:6][steps.taken[:6]].tolist()))
    assert taken <= shown
    assert (taken == shown) == are_many
