"""The code in the documents is the code of the examples, and the examples run."""

import contextlib
import doctest
import importlib
import pkgutil
import re
import runpy
import shlex
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import boruvka
from boruvka.cli.main import main

ROOT = Path(__file__).parents[1]
LONG = {
    name: [pytest.mark.long]
    for name in (
        "clustering.py",
        "embeddings.py",
        "gpu.py",  # it is simulated
        "pictures.py",
        *("explanations/certificate.py", "explanations/three_algorithms.py"),
        *("how_to/arborescence.py", "how_to/hdbscan_clusters.py", "how_to/interactive_page.py"),
        *("how_to/many_forests.py", "how_to/periodic_box.py", "how_to/prize_collecting.py"),
        "how_to/sky.py",
        "how_to/which_algorithm.py",  # it compiles many algorithms
    )
} | {
    "entity_resolution.py": [pytest.mark.long, pytest.mark.filterwarnings("ignore")],  # those of Splink
    "how_to/from_hdbscan.py": [pytest.mark.long, pytest.mark.filterwarnings("ignore")],  # needs hdbscan
}
NEEDED = {
    "entity_resolution.py": ("dask.dataframe", "splink"),
    "from_hdbscan.py": ("hdbscan", "sklearn"),
    **dict.fromkeys(("drop_in.py", "exactness.py", "from_scipy.py", "pictures.py", "rooted.py"), ("scipy",)),
    "regions.py": ("geopandas",),
    "rolling_windows.py": ("networkx", "sklearn"),
    **dict.fromkeys(("clustering.py", "embeddings.py", "hdbscan_clusters.py", "points.py"), ("sklearn",)),
}
"""Libraries that an example needs, and that may not be installed."""
NOT_HIDDEN = {"rounds": "boruvka", "hdbscan_clusters": "hdbscan"}
"""Pages of examples that would hide a package if they had the name of the page."""
EXAMPLES = sorted((ROOT / "examples").rglob("*.py"))
PAGES = [
    path for folder in ("tutorials", "how-to", "explanations") for path in ROOT.glob(f"docs/{folder}/*.md")
]
"""Pages of the site, each with the code and the output of one example of the same name, if it shows any."""
DOCUMENTS = sorted(
    {*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("docs/*/*.md"), *ROOT.glob("*/README.md")}
)
SHOWN_IN = {
    "library.py": "README.md",
    "drop_in.py": "docs/guide.md",
    "interop.py": "docs/guide.md",
    "clustering.py": "docs/guide.md",
    "ranks.py": "docs/distributed.md",
}
"""Examples that a document shows as a whole."""


def name_of(path):
    return path.relative_to(ROOT / "examples").as_posix()


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=LONG.get(name_of(path), []))
        for path in EXAMPLES
        if path.name != "segmentation.py"
    ],
    ids=name_of,
)
def test_examples_run(path, capsys, monkeypatch, tmp_path):
    for library in NEEDED.get(path.name, ()):
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [str(path), "--quick"])
    runpy.run_path(str(path), run_name="__main__")
    if (pyplot := sys.modules.get("matplotlib.pyplot")) is not None:
        pyplot.close("all")
    printed = capsys.readouterr().out
    assert printed
    page = page_of(path)
    if page.exists():
        text = page.read_text()
        assert "".join(blocks(text, "text")) == printed
        assert [p.strip() for p in "\n\n".join(blocks(text, "python")).split("\n\n")] == paragraphs(path)
        run_commands(text)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_commands_of_pages_without_an_example_run(page, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    if not any(page_of(path) == page for path in EXAMPLES):
        run_commands(page.read_text())


def page_of(example):
    """Return the page that shows an example, which need not exist."""
    folder = example.parent.name.replace("_", "-")
    stem = NOT_HIDDEN.get(example.stem, example.stem)
    return ROOT / "docs" / folder / f"{stem}.md"


def blocks(text, language):
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def paragraphs(example):
    code = example.read_text().partition('"""\n\n')[2]
    return [part.strip() for part in code.split("\n\n")]


def run_commands(text):
    """Run those commands of a page that need nothing but this package, in their order."""
    for line in "".join(blocks(text, "sh")).splitlines():
        program, *arguments = shlex.split(line, comments=True) or [""]
        if program == "boruvka":
            assert main(arguments) == 0, line


def test_the_tables_of_a_page_whose_pictures_take_long(capsys):
    path = ROOT / "examples/explanations/three_algorithms.py"
    exec(path.read_text().partition("\nplaces = ")[0], {})
    assert "".join(blocks(page_of(path).read_text(), "text")) == capsys.readouterr().out


@pytest.mark.parametrize("seed", range(20))
def test_the_three_algorithms_of_the_page_agree(seed):
    """On random graphs with ties, loops, parallel edges and several components, from every start."""
    networkx = pytest.importorskip("networkx")
    code = (ROOT / "examples/explanations/three_algorithms.py").read_text().partition("\nnames = ")[0]
    page = {}
    exec(code, page)
    rng = np.random.default_rng(seed)
    n, m = int(rng.integers(1, 12)), int(rng.integers(0, 30))
    u, v, w = *rng.integers(0, n, (2, m)), rng.integers(-3, 4, m)
    edges = list(zip(u.tolist(), v.tolist(), w.tolist(), strict=True))
    expected = set(boruvka.minimum_spanning_forest((u, v, w, n), backend="interpreted").edges.tolist())
    assert page["kruskal"](n, edges) == page["boruvka_rounds"](n, edges) == expected
    assert all(page["prim"](n, edges, start) == expected for start in range(n))
    graph = networkx.MultiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from((a, b, e, {"weight": weight}) for e, (a, b, weight) in enumerate(edges))
    theirs = networkx.minimum_spanning_edges(graph, algorithm="kruskal", keys=True, data=False)
    assert sum(edges[e][2] for e in expected) == sum(edges[e][2] for *_, e in theirs)


@pytest.mark.needs("scipy")
def test_the_page_on_the_sky_is_right():
    """Against chords and trees of SciPy, and a published distance."""
    from scipy.sparse import csgraph
    from scipy.spatial import KDTree
    from scipy.spatial.distance import pdist, squareform

    code = (ROOT / "examples/how_to/sky.py").read_text()
    page, functions = {}, re.findall(r"^def .*?\n(?=\n\n\S)", code, re.MULTILINE | re.DOTALL)
    exec("\n".join([code.partition("\ngraph = ")[0], *functions]), page)
    catalogue = page["catalogue"]
    forest = boruvka.minimum_spanning_forest(boruvka.Graph.from_points(catalogue, degrees=True))
    ra, dec = np.radians(catalogue.to_numpy().T)
    directions = np.stack([np.cos(dec) * np.cos(ra), np.cos(dec) * np.sin(ra), np.sin(dec)], axis=1)
    near = KDTree(directions).sparse_distance_matrix(KDTree(directions), 2 * np.sin(np.radians(1.25) / 2))
    labels = csgraph.connected_components(near, directed=False)[1]
    groups = forest.cut_at("1.25deg")
    assert len({*zip(groups.tolist(), labels.tolist(), strict=True)}) == groups.max() + 1 == labels.max() + 1

    rng = np.random.default_rng(1)
    places, masses = rng.random((50, 2)), rng.random(50)
    plane, sphere = boruvka.Graph.from_points(places), boruvka.Graph.from_points(catalogue[:50], degrees=True)
    box = boruvka.Graph.from_points(places, box=[1, None])
    images = np.abs(places[:, None] - places)
    images = squareform(np.hypot(np.minimum(images, 1 - images)[..., 0], images[..., 1]))
    for wrong in masses[1:], np.where(masses > 0.5, np.nan, masses):
        with pytest.raises(ValueError, match="a finite number for each point"):
            page["segregation"](plane, wrong, 10)
    angles = 2 * np.arcsin(pdist(directions[:50]) / 2)
    for graph, lengths in (plane, pdist(places)), (sphere, angles), (box, images):
        ratio, error = page["segregation"](graph, masses, 10, samples=20)
        rng, chosen = np.random.default_rng(0), [np.argsort(masses)[-10:]]
        chosen += [rng.choice(50, 10, replace=False) for _ in range(20)]
        trees = [csgraph.minimum_spanning_tree(squareform(lengths)[np.ix_(x, x)]).sum() for x in chosen]
        assert [ratio, error] == pytest.approx([np.mean(trees[1:]) / trees[0], np.std(trees[1:]) / trees[0]])

    ra, dec = np.array([359.8, 0.3, 0.1]), np.array([59.9, 60, 60.2])  # degrees are 57.3 units of chords
    field = np.stack([page["eastward"](ra, dec), dec], axis=1)
    chords = page["to_space"](ra, dec, np.full(3, 0.1)).to_numpy() / page["comoving"](np.full(1, 0.1))
    assert pdist(field) == pytest.approx(np.degrees(pdist(chords)), rel=0.01)

    for wrong in -9999, np.nan, np.inf:
        with pytest.raises(ValueError, match="redshifts must be finite and at least 0"):
            page["to_space"](ra, dec, np.array([0.1, wrong, 0.2]))
    x = page["to_space"](np.array([350.0, 20]), np.array([-30.0, 89]), np.array([1.0, 0.1])).to_numpy()
    distance = np.linalg.norm(x, axis=1)
    assert distance == pytest.approx([2312.7, 292.9], rel=1e-3)  # 3303.8 and 418.4 Mpc for H0 = 70
    assert np.degrees(np.arcsin(x[:, 2] / distance)) == pytest.approx([-30, 89])
    assert np.degrees(np.arctan2(x[:, 1], x[:, 0])) == pytest.approx([-10, 20])


def test_the_segmentation_example_runs(capsys, monkeypatch, tmp_path):
    pytest.importorskip("scipy")
    path = tmp_path / "regions.png"
    example = ROOT / "examples" / "segmentation.py"
    monkeypatch.setattr(sys, "argv", [str(example), "--quick", "-o", str(path)])
    runpy.run_path(str(example), run_name="__main__")
    assert path.read_bytes().startswith(b"\x89PNG")
    score = re.search(r"scikit-image \d+; F-score of pairs (\S+)", capsys.readouterr().out)[1]
    assert float(score) > 0.75  # measured: 0.92


@pytest.mark.parametrize(("example", "document"), SHOWN_IN.items())
def test_documents_show_whole_examples(example, document):
    code = (ROOT / "examples" / example).read_text().partition('"""\n\n')[2]
    assert f"```python\n{code}```" in (ROOT / document).read_text()


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_python_in_documents_is_in_an_example(document):
    examples = [path.read_text() for path in EXAMPLES]
    for block in blocks(document.read_text(), "python"):
        parts = [part.strip() for part in block.split("\n\n")]
        assert any(all(part in example for part in parts) for example in examples), block


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_of_documents(document):
    for link in re.findall(r"\]\(([^)#]+)[^)]*\)", document.read_text()):
        assert "://" in link or (document.parent / link).exists(), link


def test_ci_runs_the_command_of_the_readme():
    script = (ROOT / ".ci" / "run").read_text()
    command = next(line for line in script.splitlines() if "pytest" in line)
    assert f"```sh\n{command}\n```" in (ROOT / "README.md").read_text()


SOURCES = {
    m.name: Path(m.module_finder.path, m.name.rpartition(".")[2])
    for m in pkgutil.walk_packages(boruvka.__path__, "boruvka.")
    if not m.name.endswith("__main__")
}


def test_every_module_is_imported():
    need_numba = () if find_spec("numba") else ("boruvka.backends.cuda.", "boruvka.kernels.make.numba_")
    for name in SOURCES:
        if not name.startswith(need_numba):
            with contextlib.suppress(boruvka.MissingExtraError):
                importlib.import_module(name)


def has_examples(path):
    source = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ">>> " in source.read_text()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.needs("polars") if name == "boruvka.interop.data_frames" else ())
        for name, path in SOURCES.items()
        if has_examples(path)
    ],
)
def test_docstrings(name):
    module = pytest.importorskip(name, exc_type=boruvka.MissingExtraError)
    result = doctest.testmod(module, extraglobs=vars(boruvka))
    assert (result.failed, result.attempted > 0) == (0, True)
