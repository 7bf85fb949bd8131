"""The interactive page: its data, and what it shows in a browser without a window."""

import collections
import html
import json
import re
import sys

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

import boruvka
from boruvka.errors import FileError, GraphError, MissingExtraError, OptionError
from boruvka.trees.plotting.page import RADIUS
from tests.trees.plotting.browser import chromium

EVIL = (
    "</script><script>document.title = 'run'</script><img src=x onerror=\"document.title = 'run'\">[[data]]"
)


def strains():
    """Return profiles of which many are equal, and metadata of each."""
    rng = np.random.default_rng(7)
    founders = rng.integers(1, 9, size=(5, 6))
    profiles = founders[rng.integers(0, 5, 60)]
    changed = rng.random(profiles.shape) < 0.05
    profiles[changed] = rng.integers(1, 9, changed.sum())
    names = [f"S{k}" for k in range(60)]
    metadata = pd.DataFrame(
        {
            "country": rng.choice(["CZ", "DE", "FR", None], 60, p=[0.5, 0.2, 0.2, 0.1]),
            "year": rng.integers(1990, 2020, 60),
            "day": pd.Timestamp("2020-02-28") + pd.to_timedelta(rng.integers(0, 9, 60), "D"),
        },
        index=names,
    )
    return pd.DataFrame(profiles, index=names), metadata.sample(frac=1, random_state=1)


@pytest.fixture(scope="module")
def tree():
    graph = boruvka.Graph.from_profiles(strains()[0], collapse=True)
    return boruvka.minimum_spanning_forest(graph, backend="interpreted")


def written(tree, folder, **how):
    """Return the path of a page, and its data."""
    path = folder / "tree.html"
    tree.to_html(path, **how)
    text = path.read_text(encoding="utf-8")
    return path, json.loads(re.search(r'<script id="data"[^>]*>(.*?)</script>', text, re.DOTALL)[1])


def opened(path, folder, state="", probe=""):
    """Return the page after its script ran, and fail if the console has a message."""
    if probe:  # a script that the policy of the page forbids
        text = re.sub("<meta http-equiv[^>]*>", "", path.read_text(encoding="utf-8"))
        path.write_text(text.replace("</body>", f"<script>{probe}</script></body>"), encoding="utf-8")
    done = chromium(f"--user-data-dir={folder / 'profile'}", "--dump-dom", path.as_uri() + state)
    assert "CONSOLE" not in done.stderr, done.stderr
    return done.stdout


def text_of(page, element):
    found = re.search(rf'<(\w+) id="{element}"[^>]*>(.*?)</\1>', page, re.DOTALL)
    return html.unescape(re.sub("<[^>]*>", "", found[2].replace("</div><div>", "\n")))


def legend_of(page):
    entries = re.search(r'<div id="legend">(.*?)</div>\s*<div id="tip"', page, re.DOTALL)[1]
    return [html.unescape(re.sub("<[^>]*>", "", entry)) for entry in entries.split("</div>") if entry]


def test_rows_are_profiles(tree, tmp_path):
    _, data = written(tree, tmp_path, metadata=strains()[1], colors="year")
    profiles, metadata = strains()
    assert data["row_name"] == list(profiles.index)
    first = {}
    for k, profile in enumerate(profiles.itertuples(index=False)):
        first.setdefault(tuple(profile), k)
    of_row = [first[tuple(profile)] for profile in profiles.itertuples(index=False)]
    assert [data["label"][vertex] for vertex in data["row_vertex"]] == [f"S{k}" for k in of_row]
    assert data["row_size"] == [1.0] * 60
    country, year, day = data["columns"]
    in_order = metadata.loc[profiles.index]
    values = [None if k is None else country["texts"][k] for k in country["values"]]
    assert values == [None if pd.isna(x) else x for x in in_order["country"]]
    assert year["values"] == in_order["year"].tolist()
    assert day["values"] == [int(x.timestamp() * 1000) for x in in_order["day"]]
    assert data["color"] == 1


def test_metadata_of_vertices_and_sizes(tree, tmp_path):
    names = tree.graph.names.tolist()
    sizes = np.arange(tree.n)
    by_vertex = {"a": [name + "!" for name in names]}
    _, data = written(tree, tmp_path, metadata=by_vertex, sizes=sizes)
    (a,) = data["columns"]
    shown = [a["texts"][k] for k in a["values"]]
    assert shown == [data["label"][vertex] + "!" for vertex in data["row_vertex"]]
    with pytest.warns(boruvka.GraphWarning, match="only the first|45 of 60 names have no row"):
        by_name = written(tree, tmp_path, metadata=pd.DataFrame(by_vertex, index=names))[1]
    assert [k is not None for k in by_name["columns"][0]["values"]] == [
        name in names for name in by_name["row_name"]
    ]
    of_vertex = np.bincount(data["row_vertex"], data["row_size"])
    np.testing.assert_allclose(of_vertex, sizes)


def test_a_part_of_a_graph(tmp_path):
    grid = boruvka.generators.grid(4, 4, seed=1)
    tree = boruvka.steiner_tree(grid, [5, 7])
    _, data = written(tree, tmp_path)
    assert data["label"] == [str(x) for x in tree.vertices]
    ends = [sorted((data["label"][a], data["label"][b])) for a, b in zip(data["u"], data["v"], strict=True)]
    assert ends == [sorted((str(a), str(b))) for a, b in zip(tree.u, tree.v, strict=True)]
    weights = np.array(data["weights"], tree.w.dtype)
    assert weights[data["rank"]].tolist() == tree.w.tolist()


def test_small_trees_have_weights_and_small_dots(tmp_path):
    """Unless areas show something."""
    edges = [("a", "b", 4), ("b", "c", 2)]
    for how, radius in ({}, RADIUS), ({"sizes": [1, 2, 3]}, None):
        _, data = written(boruvka.minimum_spanning_forest(edges), tmp_path, **how)
        assert (data["shows_weights"], data["shows_names"], data["max_radius"]) == (True, True, radius)
    path = np.arange(100)
    _, large = written(boruvka.minimum_spanning_forest((path, path + 1, path)), tmp_path)
    assert (large["shows_weights"], large["max_radius"]) == (False, RADIUS)


@pytest.mark.parametrize("w", [[-np.inf, 0.1, np.inf], [2**63, 2**64 - 1, 0], [0.25, 0.25, 3]])
def test_any_weights(w, tmp_path):
    dtype = np.uint64 if w[0] == 2**63 else np.float64
    edges = [0, 1, 2], [1, 2, 3], np.array(w, dtype)
    for maximum in (False, True):
        tree = boruvka.minimum_spanning_forest(edges, maximum=maximum, backend="interpreted")
        _, data = written(tree, tmp_path)
        assert np.array(data["weights"], dtype)[data["rank"]].tolist() == w
        ordered = sorted(set(w), reverse=maximum)
        assert np.array(data["weights"], dtype).tolist() == ordered


def test_the_page_is_one_file(tree, tmp_path):
    path, _ = written(tree, tmp_path, metadata=strains()[1])
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"https?://|@import|fetch\(|XMLHttpRequest|<link|\ssrc=|innerHTML|eval\(", text)
    assert not re.search(r"\[\[\w+\]\]", text)


def test_wrong_arguments(tree, tmp_path):
    with pytest.raises(OptionError, match="names no column of the metadata; these are 'a', 'b'"):
        tree.to_html(tmp_path / "a.html", colors="c", metadata={"a": range(60), "b": range(60)})
    with pytest.raises(OptionError, match="these are none: pass the table that has it, metadata"):
        tree.to_html(tmp_path / "a.html", colors="c")
    with pytest.raises(GraphError, match="metadata must have a value for each of the"):
        tree.to_html(tmp_path / "a.html", metadata={"a": range(7)})
    with pytest.raises(FileError, match="nowhere"):
        tree.to_html(tmp_path / "nowhere" / "a.html")


def test_metadata_without_pandas(monkeypatch, tmp_path):
    polars = pytest.importorskip("polars")
    tree = boruvka.minimum_spanning_forest([("a", "b", 1)], backend="interpreted")
    metadata = polars.DataFrame({"id": ["a", "b"], "size": [1, 2]})
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(MissingExtraError, match="pandas is not installed"):
        tree.to_html(tmp_path / "a.html", metadata=metadata)
    assert not list(tmp_path.iterdir())


def test_no_vertices(tmp_path):
    for n in (0, 1):
        tree = boruvka.minimum_spanning_forest(([], [], [], n), backend="interpreted")
        _, data = written(tree, tmp_path, metadata={"a": [None] * n})
        assert (len(data["x"]), data["u"], data["weights"]) == (n, [], [])


def test_legend_groups_and_search_in_a_browser(tree, tmp_path):
    path, _ = written(tree, tmp_path, metadata=strains()[1])
    page = opened(path, tmp_path, "#color=country&threshold=1&search=s1")
    counts = collections.Counter(strains()[1]["country"].dropna())
    missing = 60 - counts.total()
    expected = [f"{name} ({count})" for name, count in sorted(counts.items(), key=lambda x: (-x[1], x[0]))]
    assert legend_of(page) == [*expected, f"no value ({missing})"]
    light = tree.w <= 1
    links = coo_array((np.ones(light.sum()), (tree.u[light], tree.v[light])), shape=(tree.n, tree.n))
    groups = connected_components(links, directed=False)[0]
    assert text_of(page, "status") == (
        f"60 profiles, {tree.n} vertices, {tree.n - 1} edges; {groups} groups; 11 matches"
    )
    assert text_of(page, "height") == "1"


@pytest.mark.parametrize(("asked", "shown"), [("1.5", "1.5"), ("none", "none"), ("x", "none")])
def test_a_threshold_between_weights_in_a_browser(tree, tmp_path, asked, shown):
    path, _ = written(tree, tmp_path)
    assert text_of(opened(path, tmp_path, f"#threshold={asked}"), "height") == shown


def test_hexadecimal_colors_are_their_own_colors_in_a_browser(tree, tmp_path):
    path, _ = written(tree, tmp_path, metadata={"team": ["#123456", "#0a0"] * 30}, colors="team")
    page = opened(path, tmp_path)
    assert [entry.split()[0] for entry in legend_of(page)] == ["#0a0", "#123456"]
    swatches = re.findall(r"rgb\([0-9, ]*\)", page.partition('<div id="legend">')[2])
    assert swatches == ["rgb(0, 170, 0)", "rgb(18, 52, 86)"]


PROBE = """
const probe = () => {
  const told = { box: [canvas.clientWidth, canvas.clientHeight], scale: view.scale };
  const at = (i) => { const box = canvas.getBoundingClientRect();
    return { bubbles: true, clientX: box.left + px(x[i]), clientY: box.top + py(y[i]), pointerId: 1 }; };
  canvas.dispatchEvent(new PointerEvent("pointermove", at(0)));
  told.tip = tip.textContent;
  const before = [px(x[0]), py(y[0])];
  canvas.dispatchEvent(new WheelEvent("wheel", { ...at(0), deltaY: -400, cancelable: true }));
  told.zoom = view.scale / told.scale;
  told.fixed = [px(x[0]) - before[0], py(y[0]) - before[1]];
  canvas.setPointerCapture = () => {};
  canvas.dispatchEvent(new PointerEvent("pointerdown", at(0)));
  canvas.dispatchEvent(new PointerEvent("pointermove", { ...at(0), clientX: at(0).clientX + 30 }));
  canvas.dispatchEvent(new PointerEvent("pointerup", at(0)));
  told.moved = [px(x[0]) - before[0], py(y[0]) - before[1]];
  color.value = "group"; threshold.value = 0; color.dispatchEvent(new Event("input"));
  told.groups = legend.textContent;
  color.value = "1"; color.dispatchEvent(new Event("input"));
  told.years = legend.textContent;
  color.value = "2"; color.dispatchEvent(new Event("input"));
  told.days = legend.textContent;
  search.value = rowName.at(-1); search.dispatchEvent(new Event("input")); nextMatch();
  told.center = hovered;
  draw();
  const gap = (i, j) => Math.hypot(px(x[i]) - px(x[j]), py(y[i]) - py(y[j])) / (radius(i) + radius(j));
  told.gaps = [[1900, 600], [400, 800]].map(([width, height]) => {
    Object.assign(view, { width, height }); showAll();
    return Math.min(...placed.flatMap((i) => placed.filter((j) => j > i).map((j) => gap(i, j))));
  });
  Object.assign(view, { width: canvas.clientWidth, height: canvas.clientHeight }); showAll(); draw();
  told.colors = new Set(ctx.getImageData(0, 0, canvas.width, canvas.height).data).size;
  document.title = JSON.stringify(told);
};
window.addEventListener("load", () => setTimeout(probe, 100));
"""


def test_what_the_reader_does_in_a_browser(tree, tmp_path):
    path, data = written(tree, tmp_path, metadata=strains()[1])
    page = opened(path, tmp_path, probe=PROBE)
    told = json.loads(html.unescape(re.search("<title>(.*?)</title>", page, re.DOTALL)[1]))
    assert min(told["box"]) > 100
    members = [k for k, vertex in enumerate(data["row_vertex"]) if vertex == 0]
    names, more = ", ".join(data["row_name"][k] for k in members[:5]), len(members) - 5
    lines = told["tip"].split("\n")
    assert lines[0] == names + (f" and {more} more" if more > 0 else "")
    assert lines[1] == f"size: {len(members)}"
    metadata = strains()[1].loc[[f"S{k}" for k in members]]
    counts = collections.Counter(metadata["country"].fillna("no value"))
    found = dict(re.findall(r"(\w[\w ]*) \((\d+)\)", lines[2].removeprefix("country: ")))
    assert {name: int(count) for name, count in found.items()} == counts
    assert told["zoom"] > 1.5
    np.testing.assert_allclose(told["fixed"], [0, 0], atol=1)
    np.testing.assert_allclose(told["moved"], [30, 0], atol=1)
    sizes = sorted(tree.graph.profiles.sizes.tolist(), reverse=True)
    groups = re.findall(r"(group \d|singletons) \((\d+)\)", told["groups"])
    of_several = [size for size in sizes if size > 1]
    expected = [*enumerate(of_several, 1), ("", sizes.count(1))]
    assert {x: int(y) for x, y in groups} == {f"group {k}" if k else "singletons": y for k, y in expected}
    years, days = strains()[1]["year"], strains()[1]["day"]
    assert told["years"] == f"{years.min()} to {years.max()}"
    assert told["days"] == f"{days.min():%Y-%m-%d} to {days.max():%Y-%m-%d}"
    assert told["center"] == data["row_vertex"][-1]
    assert told["colors"] > 20
    assert min(told["gaps"]) > 0.99  # dots cover each other in no window


def test_names_do_not_run_as_scripts(tmp_path):
    names = [EVIL, "b", "c\u2028\ud800"]
    tree = boruvka.minimum_spanning_forest([(EVIL, "b", 1), ("b", names[2], 2)], backend="interpreted")
    metadata = {EVIL: [EVIL, "x", "y"], "__proto__": [1, 2, 3]}
    path, data = written(tree, tmp_path, metadata=metadata, colors=EVIL)
    assert data["row_name"] == names
    probe = "hover([px(x[0]), py(y[0])]); window.name = tip.textContent;"
    page = opened(path, tmp_path, probe=probe)
    assert re.search("<title>(.*?)</title>", page)[1] == "3 vertices, 2 edges"
    assert f"{EVIL} (1)" in legend_of(page)
    assert page.count("<img") == 0


@pytest.mark.parametrize("sizes", [None, np.arange(1, 251)])
def test_dots_of_layouts_do_not_cover_each_other(tmp_path, sizes):
    """In a window of 1000 x 700 pixels; points stay where they are."""
    rng = np.random.default_rng(3)
    n, u = 250, np.arange(1, 250)
    edges = u, (rng.random(n - 1) ** 3 * u).astype(int), rng.integers(0, 9, n - 1)
    data = written(boruvka.minimum_spanning_forest(edges), tmp_path, sizes=sizes)[1]
    scale = 0.9 * min(1000 / data["extent"][0], 700 / data["extent"][1])
    places = scale * np.column_stack([data["x"], data["y"]])
    areas = 0.06 * 1000 * 700 * (np.ones(n) if sizes is None else sizes)
    radii = np.sqrt(areas / (areas.sum() / 42_000) / np.pi)
    radii = np.minimum(radii, data["max_radius"] or np.inf)
    apart = np.hypot(*(places[:, None] - places).T) + 99 * np.eye(n)
    assert (apart >= 0.99 * np.add.outer(radii, radii)).all()
    points = np.repeat(rng.random((9, 2)), 2, axis=0)
    data = written(boruvka.minimum_spanning_forest(boruvka.Graph.from_points(points)), tmp_path)[1]
    assert data["x"][::2] == data["x"][1::2]


def test_edges_across_a_box_are_two_lines(tmp_path):
    """The pen is lifted between them: the middle of the page stays empty."""
    graph = boruvka.Graph.from_points([[0.5, 1, 0], [9.5, 1, 0], [0.5, 9, 0]], box=[10, 20, 20])
    path, data = written(boruvka.minimum_spanning_forest(graph), tmp_path, labels=False)
    assert [line.count(None) for line in data["lines"]] == [4, 2]
    x = [value for line in data["lines"] for value in line[::2] if value is not None]
    assert max(x) - min(x) == data["extent"][0]
    assert data["title"] == "3 vertices, 2 edges (projection on the first two of 3 coordinates)"
    probe = """window.addEventListener("load", () => setTimeout(() => {
        const calls = [];
        ctx.lineTo = (...to) => calls.push(to);
        draw();
        document.title = String(calls.length);
    }, 100));"""
    assert re.search("<title>(.*?)</title>", opened(path, tmp_path, probe=probe))[1] == "3"
