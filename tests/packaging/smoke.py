"""What an installed wheel must do; ``.ci/smoke`` runs it in an empty folder, in a new environment.

    python -I smoke.py README.md   # the wheel alone: the command line, and README's example of the library
    python -I smoke.py --list      # print the extras that can be tried here, separated by commas
    python -I smoke.py --extras    # each of them, with one call that needs it

It imports nothing of the repository.
"""

import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

EDGES = [0, 1, 2, 0], [1, 2, 0, 3], [5, 0, 2, 7]
FOREST = [1, 2, 3]


def command(*arguments):
    """Run the installed script ``boruvka``, and return what it prints."""
    script = Path(sys.executable).with_name("boruvka")
    return subprocess.run([script, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout


def check_command_line():
    assert command("--version").split()[-1] == importlib.metadata.version("boruvka")
    command("generate", "grid", "--rows", "20", "--cols", "30", "-o", "graph.npz")
    command("convert", "graph.npz", "graph.gr")
    report = json.loads(command("solve", "graph.gr", "-o", "forest.csv", "--verify", "--json"))
    assert (report["vertices"], report["forest_edges"], report["verified"]) == (600, 599, True)
    assert "minimum spanning forest" in command("verify", "graph.gr", "forest.csv")


def check_library(readme):
    """Run README's example."""
    code = readme.read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    assert "minimum_spanning_forest" in code
    exec(compile(code, str(readme), "exec"), {})


def check_missing_extras():
    """Each error of a missing library names the extra that installs it."""
    import boruvka

    forest = boruvka.minimum_spanning_forest(EDGES)
    for extra, convert in {"networkx": forest.to_networkx, "tables": forest.to_polars}.items():
        message = ""
        try:
            convert()
        except boruvka.MissingExtraError as error:
            message = str(error)
        assert f"boruvka[{extra}]" in message, "this is not the wheel alone"


def check_machine_code():
    """The package has machine code, so there is nothing to compile, and no folder for it is made."""
    import boruvka

    os.environ.pop("BORUVKA_CACHE_DIR", None)
    assert boruvka.warmup() is None


WITHOUT_WRITING = """
import os, resource, sys
import numpy as np

def refuse(event, arguments):
    writes = event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+")
    if writes or event in ("os.mkdir", "os.rename", "os.remove", "socket.connect", "subprocess.Popen"):
        raise AssertionError(f"{event} {arguments}")

sys.addaudithook(refuse)
import boruvka
graph = boruvka.read(sys.argv[1])
forest = boruvka.minimum_spanning_forest(graph)
assert boruvka.verify(graph, forest) and forest.linkage().size and forest.cut(3).size
points = boruvka.Graph.from_points(np.random.default_rng(0).random((2_000, 3)), min_samples=4)
assert boruvka.minimum_spanning_forest(points).edges.size == 1_999
assert len(boruvka.steiner_tree(graph, [0, 9]).edges) > 0
assert boruvka.minimum_spanning_arborescence(([0, 1], [1, 2], [3, 4])).weight == 7
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
MOST_ON_DISK, MOST_IN_ZIP, MOST_IN_MEMORY = 100e6, 50e6, 128 << 20
"""Bytes of the wheel and what it needs: installed, packed for a function service, and in memory."""


def check_small_systems():
    """A read-only system, little memory, and the limits of function services."""
    packages = Path(sysconfig.get_path("purelib"))
    files = [path for path in packages.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    size = sum(path.stat().st_size for path in files)
    assert size < MOST_ON_DISK, f"{size / 1e6:.0f} MB are installed"
    with zipfile.ZipFile("function.zip", "w", zipfile.ZIP_DEFLATED) as zipped:
        for path in files:
            zipped.write(path, path.relative_to(packages))
    packed = os.path.getsize("function.zip")
    assert packed < MOST_IN_ZIP, f"the zip has {packed / 1e6:.0f} MB"
    with zipfile.ZipFile("function.zip") as zipped:
        zipped.extractall("function")
    # Without site packages: everything is imported from the zip.
    run = [sys.executable, "-S", "-B", "-c", WITHOUT_WRITING, "graph.gr"]
    environment = {"PYTHONPATH": os.path.abspath("function"), "HOME": "/nonexistent"}
    done = subprocess.run(run, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    memory = int(done.stdout) << 10
    assert memory < MOST_IN_MEMORY, f"a small solve takes {memory >> 20} MB of memory"
    print(f"{size / 1e6:.0f} MB installed, {packed / 1e6:.0f} MB zipped, {memory / 1e6:.0f} MB of memory")


def _forest(graph):
    import boruvka

    return boruvka.minimum_spanning_forest(graph)


def check_jit():
    import boruvka

    points = boruvka.Graph.from_points([[0.0], [1.0], [3.0]], lambda a, b: abs(a[0] - b[0]))
    assert boruvka.minimum_spanning_forest(points).weight == 3


def check_tables():
    import boruvka

    boruvka.write(_forest(EDGES), "forest.parquet")
    assert boruvka.read("forest.parquet").m == 3


def check_scipy():
    assert _forest(EDGES).to_scipy().nnz == 3


def check_zstd():
    import boruvka

    boruvka.write(_forest(EDGES), "forest.csv.zst")
    assert boruvka.read("forest.csv.zst").m == 3


def check_networkx():
    import networkx

    graph = networkx.Graph()
    graph.add_weighted_edges_from(zip(*EDGES, strict=True))
    assert networkx.minimum_spanning_tree(graph, backend="boruvka").number_of_edges() == 3
    assert _forest(graph).to_networkx().number_of_edges() == 3


def check_igraph():
    assert _forest(EDGES).to_igraph().ecount() == 3


def check_pandas():
    frame = _forest(EDGES).to_pandas()
    assert _forest(frame).edges.tolist() == [0, 1, 2]


def check_arrow():
    assert _forest(_forest(EDGES).to_arrow()).edges.tolist() == [0, 1, 2]


def check_duckdb():
    import duckdb

    from boruvka import stream

    query = duckdb.sql("select * from (values (0, 1, 5), (1, 2, 0), (2, 0, 2), (0, 3, 7)) as t(u, v, w)")
    assert stream.minimum_spanning_forest(query).edges.tolist() == FOREST


def check_geo():
    import boruvka

    line = {"type": "LineString", "coordinates": [[13.0, 52.0], [13.1, 52.0]]}
    feature = {"type": "Feature", "properties": {}, "geometry": line}
    Path("roads.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
    assert 6_800 < boruvka.minimum_spanning_forest(boruvka.read("roads.geojson")).weight < 6_900


def check_osm():
    import boruvka

    nodes = "".join(f'<node id="{i}" lon="{13 + i / 10}" lat="52"/>' for i in (1, 2))
    way = '<way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="road"/></way>'
    Path("roads.osm").write_text(f'<osm version="0.6">{nodes}{way}</osm>')
    assert boruvka.read("roads.osm").m == 1


def check_fast():
    import gzip

    import boruvka

    Path("graph.csv.gz").write_bytes(gzip.compress(b"u,v,w\n0,1,5\n"))
    assert boruvka.read("graph.csv.gz").m == 1
    assert "isal" in sys.modules


def check_plot():
    command("generate", "grid", "--rows", "4", "--cols", "5", "-o", "drawn.npz")
    command("plot", "drawn.npz", "-o", "drawn.svg")
    assert Path("drawn.svg").read_text().rstrip().endswith("</svg>")


def check_image():
    import skimage

    from boruvka.trees.segmentation import pixel_graph, segment

    colours = skimage.color.rgb2lab([[[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]])
    assert segment(pixel_graph(colours), 1).tolist() == [0, 1, 1]


def check_sklearn():
    from boruvka.sklearn import SingleLinkage

    assert SingleLinkage(n_clusters=2).fit([[0.0], [0.1], [9.0]]).labels_.tolist() == [0, 0, 1]


def check_dask():
    import dask.dataframe
    import pandas

    from boruvka.dask import minimum_spanning_forest

    frame = dask.dataframe.from_pandas(pandas.DataFrame(dict(zip("uvw", EDGES, strict=True))), npartitions=2)
    assert minimum_spanning_forest(frame).edges.compute()["w"].tolist() == [0, 2, 7]


def check_spark():
    from pyspark.sql import SparkSession

    from boruvka.spark import minimum_spanning_forest

    os.environ["PYSPARK_PYTHON"] = sys.executable
    local = {
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
    }
    session = SparkSession.builder.master("local[2]").config(map=local).getOrCreate()
    frame = session.createDataFrame(list(zip(*EDGES, strict=True)), ["u", "v", "w"])
    assert [row.w for row in minimum_spanning_forest(frame).edges.collect()] == [0, 2, 7]
    session.stop()


def check_neighbours(index):
    """Points whose nearest neighbours join them: the approximate index must find the tree of all pairs."""
    import numpy as np

    import boruvka

    points = np.random.default_rng(0).random((60, 2))
    forest = _forest(boruvka.Graph.from_points_approximately(points, n_neighbors=5, ann_index=index))
    assert (forest.n_components, forest.weight) == (1, _forest(boruvka.Graph.from_points(points)).weight)


def check_mpi():
    mpiexec = Path(sys.executable).with_name("mpiexec")
    boruvka = [sys.executable, "-I", "-m", "boruvka"]
    subprocess.run([*boruvka, "generate", "path", "--n", "50", "-o", "path.npz"], check=True)
    solve = [*boruvka, "solve", "path.npz", "--backend", "mpi", "--json"]
    out = subprocess.run([mpiexec, "-n", "2", *solve], check=True, stdout=subprocess.PIPE, text=True).stdout
    assert (json.loads(out)["ranks"], json.loads(out)["forest_edges"]) == (2, 49)


EXTRAS = {
    "jit": check_jit,
    "tables": check_tables,
    "scipy": check_scipy,
    "zstd": check_zstd,
    "networkx": check_networkx,
    "igraph": check_igraph,
    "pandas": check_pandas,
    "arrow": check_arrow,
    "duckdb": check_duckdb,
    "geo": check_geo,
    "osm": check_osm,
    "fast": check_fast,
    "plot": check_plot,
    "image": check_image,
    "sklearn": check_sklearn,
    "pynndescent": lambda: check_neighbours("pynndescent"),
    "hnswlib": lambda: check_neighbours("hnswlib"),
    "dask": check_dask,
    "spark": check_spark,
    "mpi": check_mpi,
}
"""The check of each extra."""
UNCHECKED = {
    "cuda": "it needs an NVIDIA GPU",
    "all": "it is most of the others",
    **dict.fromkeys(("bench", "test", "testwheel", "dev", "docs"), "it is for developers"),
}
"""Extras without a check, and why."""
PROGRAMS = {
    "hnswlib": ("c++", "it has no wheel, so it needs a C++ compiler"),
    "spark": ("java", "it needs Java"),
}
"""Extras that are skipped where a program is missing, and why they need it."""


def extras():
    """Return the extras of the wheel that can be tried here, and why the others cannot."""
    names = importlib.metadata.metadata("boruvka").get_all("Provides-Extra")
    skipped = {name: why for name, (program, why) in PROGRAMS.items() if not shutil.which(program)}
    return [name for name in names if name not in UNCHECKED.keys() | skipped.keys()], UNCHECKED | skipped


if __name__ == "__main__":
    if sys.argv[1] == "--list":
        print(",".join(extras()[0]))
    elif sys.argv[1] == "--extras":
        tried, skipped = extras()
        for name in tried:
            EXTRAS[name]()
            print(f"extra {name}: passed", flush=True)
        for name, why in skipped.items():
            print(f"extra {name}: skipped, {why}")
    else:
        check_command_line()
        check_library(Path(sys.argv[1]))
        check_missing_extras()
        check_machine_code()
        check_small_systems()
        print("wheel alone: passed")
