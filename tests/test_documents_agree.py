"""Documents agree with the code: constants, numbers, names of files.

A constant is quoted in one form, which is compared with the code: its name and its value in backticks, then
the file in parentheses, for example `light_per_component = 1.25` (`backends/tuning.py`). Pages for
users write numbers in prose; `STATED` lists these.
"""

import ast
import functools
import importlib
import inspect
import operator
import re
import tomllib
from pathlib import Path

import pytest

import boruvka
from boruvka.cli.solve import solve
from boruvka.formats.edge_table import Options
from boruvka.interop import data_frames, igraph, networkx

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "boruvka"
DOCUMENTS = sorted({*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("*/README.md")})
DECISIONS = sorted((ROOT / "docs" / "decisions").glob("*.md"))
QUOTED = re.compile(
    r"`([A-Z][A-Z_0-9]*(?:, [A-Z][A-Z_0-9]*)*|[a-z_]+(?=[^`]*`\s+\(`backends/tuning)) = ([^`.]*\d[^`]*)`"
    r"(?:\s+\(`([\w/]+\.py)`\))?"
)
STATED = [
    ("docs/gpu.md", r"on the host of (\S+ million) edges or more", "gpu_pays_from", "backends/tuning.py"),
    ("docs/how-to/use_a_gpu.md", r"of (\S+ million) edges or more", "gpu_pays_from", "backends/tuning.py"),
    ("docs/distributed.md", r"more than (\S+) ranks", "REPLICATED_RANKS", "distributed/strategies.py"),
    ("docs/scale.md", r"takes it on up to (\S+) ranks", "REPLICATED_RANKS", "distributed/strategies.py"),
    ("docs/distributed.md", r"more than (\S+) vertices", "REPLICATED_VERTICES", "distributed/strategies.py"),
    ("docs/distributed.md", r"From (\S+) ranks on", "two_steps_from", "backends/tuning.py"),
    ("docs/scale.md", r"(\S+) or more ranks first", "two_steps_from", "backends/tuning.py"),
    ("docs/scale.md", r"up to (\S+) bytes per rank", "bytes_of_message", "backends/tuning.py"),
    (
        "docs/scale.md",
        r"at most (\S+) edges of 16 bytes",
        "replicated_up_to",
        "backends/tuning.py",
    ),
    ("docs/streaming.md", r"to one of (\S+) levels", "LEVELS", "stream/bottleneck_filter.py"),
    ("docs/pictures.md", r"more than (\S+) edges as pixels", "MAX_VECTOR_LINES", "trees/plotting/style.py"),
    (
        "docs/pictures.md",
        r"up to (\S+) vertices by the number of edges between them",
        "SMALL",
        "trees/plotting/coordinates.py",
    ),
    ("docs/pictures.md", r"graph of up to (\S+) vertices", "MAX_VERTICES", "trees/plotting/curves.py"),
    ("docs/pictures.md", r"vertices and (\S+) edges is drawn", "MAX_EDGES", "trees/plotting/curves.py"),
    ("docs/explanations/filter.md", r"A sample of (\S+) edges", "SAMPLE", "algorithms/filter_boruvka.py"),
]
"""Pages, a pattern of the number, and the constant that it is."""
OPERATIONS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.LShift: operator.lshift,
    ast.Pow: operator.pow,
}


def name_of(path):
    return path.relative_to(ROOT).as_posix()


def value_of(node):
    """Evaluate an expression of constants; a call of one argument is a type, and ``a if b else c`` is c."""
    if isinstance(node, ast.BinOp):
        return OPERATIONS[type(node.op)](value_of(node.left), value_of(node.right))
    if isinstance(node, ast.Tuple):
        return tuple(value_of(element) for element in node.elts)
    if isinstance(node, ast.IfExp):  # of the simulator and a GPU
        return value_of(node.orelse)
    if isinstance(node, ast.Call) and len(node.args) == 1:  # np.uint64(8)
        return value_of(node.args[0])
    return ast.literal_eval(node)


@functools.cache
def constants_of(path):
    """Return the expressions of constants of a module: names in capitals, and fields of its `Tuning`.

    Nothing is imported.
    """
    expressions, fields = {}, {}
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        match statement:
            case ast.ClassDef(name="Tuning", body=body):
                fields = {field.target.id: field.value for field in body if isinstance(field, ast.AnnAssign)}
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                expressions[name] = value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                expressions[name] = value
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                expressions |= {t.id: v for t, v in zip(targets, values, strict=True)}
    return fields | {name: value for name, value in expressions.items() if name.strip("_").isupper()}


def disagreements(text):
    """List the quoted constants that differ from the code, and why."""
    wrong = []
    for names, quoted, file in QUOTED.findall(text):
        value = value_of(ast.parse(quoted, mode="eval").body)
        name = names if "," not in names else names.split(", ")
        path = next((home / file for home in (SOURCE, ROOT) if file and (home / file).exists()), None)
        if path is None:
            wrong.append(f"{names}: no such file: {file!r}")
            continue
        constants = constants_of(path)
        for name, expected in zip(names.split(", "), value if "," in names else [value], strict=True):
            if name not in constants:
                wrong.append(f"{name} is not in {file}")
            elif (actual := value_of(constants[name])) != expected:
                wrong.append(f"{name} is {actual} in {file}, not {expected}")
    return wrong


@pytest.mark.parametrize("document", DOCUMENTS, ids=name_of)
def test_constants_in_documents(document):
    assert disagreements(document.read_text(encoding="utf-8")) == []


def number_in(text):
    """Read a number as pages write it: ``20,000``, ``2^16``, ``2 million``."""
    base, _, exponent = text.replace(",", "").removesuffix(" million").partition("^")
    return int(base) ** int(exponent or 1) * (10**6 if text.endswith(" million") else 1)


@pytest.mark.parametrize(("document", "pattern", "name", "file"), STATED)
def test_numbers_in_prose(document, pattern, name, file):
    text = " ".join((ROOT / document).read_text(encoding="utf-8").split())
    stated = {number_in(number) for number in re.findall(pattern, text)}
    assert stated == {value_of(constants_of(SOURCE / file)[name])}


def test_the_formats():
    """The table of formats has the name of each."""
    formats = [value_of(f.args[0]) for f in constants_of(SOURCE / "formats" / "registry.py")["FORMATS"].elts]
    table = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8").partition("| name |")[2]
    rows = re.findall(r"^\| ([a-z][\w, -]*) \|", table.partition("\n\n")[0], re.MULTILINE)
    assert sorted(", ".join(rows).split(", ")) == sorted(formats)


def parameters_of(input_of_guide):
    """Return the names of the parameters or options of a way to pass a graph, as the guide writes it."""
    if input_of_guide.startswith("boruvka solve"):
        return {option for parameter in solve.params for option in parameter.opts}
    path = input_of_guide.partition("(")[0]
    module, _, name = path.removeprefix("boruvka.").rpartition(".")
    home = boruvka.Graph if module == "Graph" else importlib.import_module(f"boruvka.{module}".strip("."))
    functions = [getattr(home, name)]
    if input_of_guide == "boruvka.as_graph(frame)":
        functions = [data_frames.graph_from]
    elif input_of_guide == "boruvka.as_graph(g)":
        functions = [networkx.graph_from, igraph.graph_from]
    parameters = [inspect.signature(function).parameters for function in functions]
    if {"read_options", "options"} & {*parameters[0]}:
        parameters = [{*parameters[0], *Options._fields}]
    return set.intersection(*map(set, parameters))


def test_the_guide_names_parameters_of_inputs():
    """Its table of columns, weights and first ids has the arguments of each input."""
    guide = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    table = guide.partition("### Columns, weights and first ids")[2].partition("\n## ")[0]
    rows = [line.split(" | ") for line in table.splitlines() if line.startswith("| `")]
    assert len(rows) == 7
    for first, *others in rows:
        named = set(re.findall(r"`(--[a-z-]+|[a-z_]+(?==))", " ".join(others)))
        assert named
        for input_of_guide in re.findall(r"`([^`]+)`", first):
            assert named - parameters_of(input_of_guide) == set(), input_of_guide


def test_constants_are_quoted():
    quoted = [m[0] for document in DOCUMENTS for m in QUOTED.findall(document.read_text(encoding="utf-8"))]
    assert len(quoted) > 20
    assert "light_per_component" in quoted


def test_names_of_constants_exist():
    """In the architecture and the decisions: such names are constants, or variables of the environment."""
    known = {name for path in SOURCE.rglob("*.py") for name in constants_of(path)}
    for document in (ROOT / "ARCHITECTURE.md", *DECISIONS):
        names = set(re.findall(r"`([A-Z]+_[A-Z_]+)`", document.read_text(encoding="utf-8")))
        unknown = {name for name in names - known if not name.startswith(("BORUVKA_", "NUMBA_", "NRT_"))}
        assert unknown == set(), document.name


@pytest.mark.parametrize("document", [ROOT / "ARCHITECTURE.md", *DECISIONS], ids=name_of)
def test_files_that_are_named_exist(document):
    text = document.read_text(encoding="utf-8")
    paths = set(re.findall(r"`((?:\w+/)+(?:\w+\.\w+)?)`", text))
    homes = SOURCE, ROOT
    assert [path for path in sorted(paths) if not any((home / path).exists() for home in homes)] == []
    places = re.findall(r"`(\w+)` (?:in|of) `([\w/]+\.py)`", text)
    missing = [
        (name, path)
        for name, path in places
        if not re.search(
            rf"\b{name}\b", next(h / path for h in homes if (h / path).exists()).read_text(encoding="utf-8")
        )
    ]
    assert missing == []


def test_the_architecture_names_many_files_and_fits_two_screens():
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    assert len(set(re.findall(r"`((?:\w+/)+(?:\w+\.py)?)`", text))) > 30
    assert len(re.findall(r"`(\w+)` in `([\w/]+\.py)`", text)) > 5
    assert text.count("\n") < 130
    rooms = {path.name for path in SOURCE.iterdir() if path.is_dir() and path.name != "__pycache__"}
    rooms |= {path.name for path in SOURCE.glob("*.py") if not path.name.startswith("__")}
    table = text.partition("## Rooms")[2].partition("\n## ")[0]
    assert {room for room in rooms if not re.search(rf"`{room}/?`", table)} == set()


def test_the_layers_are_those_that_are_enforced():
    layers = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"][0][
        "layers"
    ]
    block = re.search(
        r"## Import layers.*?```\n(.*?)```", (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"), re.S
    )
    assert block
    assert block[1].split("\n")[:-1] == layers


def test_the_guide_names_the_oldest_networkx():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (oldest,) = (
        item.partition(">=")[2]
        for item in project["optional-dependencies"]["networkx"]
        if item.startswith("networkx")
    )
    stated = re.findall(
        r"NetworkX \((\S+) or later\)", (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
    )
    assert stated == [oldest]
