"""Odd objects at every entrance: a right answer, or an error of ours, with a short message.

A try is a number, which seeds its random choices: a failure names it, and ``attempt(number)`` repeats it.
"""

import contextlib
import datetime
import decimal
import enum
import fractions
import functools
import gc
import inspect
import math
import random
import resource
import signal
import sys
import uuid
import warnings
from collections import UserList, deque
from collections.abc import Mapping

import igraph
import networkx as nx
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

pytest.importorskip("scipy")

from scipy import sparse

import boruvka
from boruvka import BoruvkaError, Graph, csgraph, errors, generators, stream, verify
from boruvka.errors import LONGEST_MESSAGE, BackendWarning, GraphWarning
from boruvka.networkx_backend import functions as backend
from boruvka.sklearn import HDBSCAN, SingleLinkage
from boruvka.trees import segmentation
from tests import oracles

pl = pytest.importorskip("polars")

SECONDS = 60
"""A try that takes longer hangs."""
MEMORY = 6 << 30
"""Bytes of address space that the tries may add, so that an enormous graph is an error at once."""

OF_NUMPY = "Warning: converting a masked element", "Data type alias"
"""Warnings of NumPy about what it is given: a masked element in a list, and a type by an old name."""


class Theirs(Exception):
    """Raised by an object of the user; it passes unchanged."""


CYCLE = ([0, 1, 2], [1, 2, 0], [5, 3, 4])
FRAME = pd.DataFrame({"u": [0], "v": [1], "w": [2.0]})


class Colour(enum.IntEnum):
    RED = 1


class Text(str):
    pass


def odd(**methods):
    """Make an object that lies about itself, or raises an error if it is used."""
    answers = {name: lambda *_, answer=answer, **__: answer() for name, answer in methods.items()}
    return type("Odd", (), answers)()


def fail():
    raise Theirs


def failing_generator(rows):
    yield from rows
    raise Theirs


SMALL = [0, 1, 2, 3, 5, 7, 1, 2, 3]
NUMBERS = [
    *(-1, 4, 2**31, 2**40 + 1, 2**48, 2**53 + 1, 2**63, 2**64, -(2**63), 10**30, 10**5000, True, False),
    *(0.0, -0.0, 1.0, 1.5, 2.0**53, 1e300, -1e-320, math.nan, math.inf, -math.inf, 1j, Colour.RED),
    *(np.int8(3), np.uint64(2**63), np.float16(1), np.float32(0.1), np.longdouble(1), np.bool_(True)),
    *(np.complex64(1), *map(decimal.Decimal, ("1", "0.1", "NaN")), fractions.Fraction(1, 3)),
]
NAMES = [
    *("a", "b", "c", "", "1", "01", "é", "x" * 5_000, "\ud800", "a\0", Text("a"), np.str_("b"), b"a"),
    *((1, 2), ("a",)),
]
OTHERS = [
    *(None, pd.NA, pd.NaT, np.ma.masked, Ellipsis, NotImplemented, int, len, object(), math, slice(1)),
    *(np.datetime64("NaT"), np.datetime64("2020-01-01T00:00:00.000000001"), np.timedelta64(1, "D")),
    *(pd.Timestamp("2020"), datetime.date(2020, 1, 1), datetime.timedelta(1), uuid.UUID(int=1)),
    *map(np.array, (1, [1, 2], "a", None, [[], []])),
    *(pa.scalar(1), pa.scalar("a"), [], [1], [[1, 2], [3]], (), {}, {"a": 1}, {1, 2, 3}, frozenset([1])),
    *(range(3), bytearray(b"12"), memoryview(b"123"), deque([1, 2]), UserList([1, 2])),
    *(pl.Series([1, 2]), pd.Series(["a", "b"]), pl.col("u")),
    odd(__len__=lambda: 3, __iter__=lambda: iter([1])),
    odd(__len__=lambda: -1, __getitem__=lambda: 1),
    *(odd(__len__=lambda: 3), odd(__array__=fail), odd(__array__=lambda: 5), odd(__iter__=fail)),
    *(odd(__array__=lambda: np.arange(3)), odd(__hash__=fail), odd(__eq__=fail, __hash__=lambda: 1)),
    odd(__eq__=lambda: np.arange(2), __hash__=lambda: 1),
    *(odd(__repr__=fail), odd(__repr__=lambda: "x" * 10**6), odd(__index__=lambda: 2), odd(__bool__=fail)),
    *(odd(__float__=lambda: math.nan), odd(tocoo=lambda: None), odd(columns=lambda: 1)),
    odd(schema=lambda: 1),
]


def scalar(rng):
    return rng.choice(rng.choice([SMALL, SMALL, NUMBERS, NAMES, OTHERS]))


def values(rng, m):
    """List what a column holds: values of one kind, with a few others among them."""
    kind = rng.choice([SMALL, SMALL, SMALL, NUMBERS, NAMES[:3], NAMES, OTHERS])
    drawn = [rng.choice(kind) for _ in range(m)]
    for _ in range(rng.choice([0, 0, 0, 1, 2]) if m else 0):
        drawn[rng.randrange(m)] = scalar(rng)
    return drawn


def made(make, arguments, otherwise):
    """Call a function of a library in silence; return another value if it fails in any way."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return make(arguments)
        except (KeyboardInterrupt, Hang):
            raise
        except BaseException:  # polars panics
            return otherwise


def of_type(make, dtype, **options):
    return lambda x: make(x, dtype=dtype, **options)


def arrow(x, type=None):
    """Make an array of Arrow; pyarrow crashes on dates of NumPy among other numbers."""
    if any(isinstance(value, np.generic) for value in x):
        raise TypeError
    return pa.array(x, type)


def polars_decimals(scale):
    """Make columns of decimals; polars panics on some values that are not numbers."""

    def make(x):
        if not all(type(value) is int for value in x):
            raise TypeError
        return pl.Series(x, dtype=pl.Decimal(20, scale))

    return make


def arrow_table(columns):
    return pa.table({name: arrow(x) if isinstance(x, list) else x for name, x in columns.items()})


def frozen(x):
    array = np.array(x)
    array.flags.writeable = False
    return array


NUMPY_TYPES = "i1", ">i4", "u8", ">f8", "f2", "g", "O", "S3", "U3", "M8[ns]", "m8[D]", "c16", "i4,f8"
CONTAINERS = [
    *(list, tuple, iter, deque, UserList, np.array, frozen, pd.Series, pd.array, pd.Categorical, pd.Index),
    *(pl.Series, arrow, failing_generator, lambda x: np.repeat(np.array(x), 2)[::2]),
    lambda x: pa.chunked_array([arrow(x[: len(x) // 2]), arrow(x[len(x) // 2 :])]),
    *(lambda x: arrow(x).dictionary_encode(), lambda x: memoryview(np.array(x))),
    *(of_type(np.array, t) for t in NUMPY_TYPES),
    *(of_type(pd.Series, t) for t in ("Int64", "Float32", "string", "boolean", object)),
    *(of_type(pl.Series, t, strict=False) for t in (pl.Int128, pl.UInt8, pl.Float32, pl.String, pl.Date)),
    *(of_type(pl.Series, t) for t in (pl.Object, pl.Categorical)),
    *map(polars_decimals, (0, 2)),
    *(
        lambda x, t=t: arrow(x, t)
        for t in (pa.decimal128(20, 0), pa.string_view(), pa.null(), pa.date32(), pa.binary())
    ),
    lambda x: np.ma.masked_array(np.array(x), [i == 1 for i in range(len(x))]),
    lambda x: np.ma.masked_array(np.array(x)),
    lambda x: pl.Series([[y] for y in x]),
    lambda x: pa.array([{"a": y} for y in arrow(x).to_pylist()]),
    lambda x: pd.Series(arrow(x, pa.int64()), dtype="int64[pyarrow]"),
    *(lambda x: np.array([x, x]), lambda x: np.array(x).reshape(-1, 1)),
]


def contained(rng, held):
    """Put values into a column of some library; a list, if it does not take them."""
    return made(rng.choice(CONTAINERS), held, held)


def column(rng, m):
    return contained(rng, values(rng, m))


SHAPES = [*[(4, 4)] * 3, (0, 0), (1, 1), (3, 3), (2, 3), (5, 3), (3,), (6,), (), (2, 2, 2), (4, 0)]
MATRIX_TYPES = ["i8", "f8", "f4", "f2", "g", ">f8", "u1", "?", "c16", "O", "U2", "M8[s]", "i8"]
MATRICES = [
    *(np.asarray, np.asarray, np.transpose, np.asfortranarray, np.ndarray.tolist, pd.DataFrame, pl.DataFrame),
    *(sparse.csr_array, sparse.coo_matrix, sparse.dia_array, sparse.bsr_array, sparse.dok_array, np.matrix),
    lambda a: np.ma.masked_array(a, np.asarray(a) == 1),
    lambda a: np.ma.masked_invalid(a),
    lambda a: a[..., ::-1],
    lambda a: np.broadcast_to(a, (*a.shape[:-1], a.shape[-1])),
    lambda a: [tuple(row) for row in a],
    lambda a: a.view(type("Sub", (np.ndarray,), {})),
]


def matrix(rng):
    """Make a matrix, or nearly one, of any library and shape."""
    shape = rng.choice(SHAPES)
    array = np.array([rng.choice(SMALL) for _ in range(math.prod(shape))]).reshape(shape)
    array = made(of_type(array.__class__.astype, rng.choice(MATRIX_TYPES)), array, array)
    if array.size and rng.random() < 0.3:
        made(lambda at: array.flat.__setitem__(at, scalar(rng)), rng.randrange(array.size), None)
    return made(rng.choice(MATRICES), array, array)


FRAME_NAMES = [
    *[["u", "v", "w"]] * 5,
    *(["source", "to", "w"], ["u", "v"], ["u", "u", "w"], [0, 1, 2], ["U", "V", "km"]),
]
FRAMES = [pd.DataFrame, pl.DataFrame, arrow_table, dict, lambda d: pl.DataFrame(d).lazy()]


def frame(rng):
    m, names = rng.randrange(4), rng.choice(FRAME_NAMES)
    columns = tuple(column(rng, m if rng.random() < 0.95 else 5) for _ in names)
    if names[0] == names[1]:
        return made(lambda c: pd.DataFrame(list(zip(*c, strict=False)), columns=names), columns, columns)
    make = rng.choice(FRAMES)
    return made(lambda c: make(dict(zip(names, c, strict=True))), columns, columns)


def rows(rng):
    m = rng.randrange(6)
    columns = [values(rng, m) for _ in range(rng.choice([3, 3, 3, 3, 2, 4]))]
    listed = list(zip(*columns, strict=True))
    if listed and rng.random() < 0.2:
        listed[rng.randrange(m)] = scalar(rng)
    lists = [list(row) if isinstance(row, tuple) else row for row in listed]
    return rng.choice([list, list, iter, deque, lambda _: lists, failing_generator])(listed)


def node(rng):
    """Choose a node that NetworkX can work with: some that are not equal to themselves make it hang."""
    return rng.choice(rng.choice([SMALL, NAMES, [math.inf, 1.5, Colour.RED, True, uuid.UUID(int=1), int]]))


def network(rng):
    if rng.random() < 0.5:
        g = rng.choice([nx.Graph, nx.Graph, nx.MultiGraph, nx.DiGraph])()
        for _ in range(rng.randrange(8)):
            with contextlib.suppress(TypeError, ValueError, Theirs):
                g.add_edge(node(rng), node(rng), **({"weight": scalar(rng)} if rng.random() < 0.9 else {}))
        return g
    m = rng.randrange(5)
    edges = [(rng.randrange(5), rng.randrange(5)) for _ in range(m)]
    g = igraph.Graph(n=5, edges=edges, directed=rng.random() < 0.1)
    g.es["weight"] = values(rng, m)
    if rng.random() < 0.3:
        g.vs["name"] = values(rng, 5)
    return g


def thing(rng, depth=0):
    """Make any object."""
    makers = [scalar, matrix, rows, frame, network, lambda r: column(r, r.randrange(4)), edges_of_any_kind]
    if depth < 2:
        makers += [
            lambda r: tuple(thing(r, depth + 1) for _ in range(r.randrange(5))),
            lambda r: [thing(r, depth + 1) for _ in range(r.randrange(4))],
            lambda r: {key(r): thing(r, depth + 1) for _ in range(r.randrange(3))},
            lambda r: {key(r): {key(r): scalar(r)} for _ in range(r.randrange(3))},
        ]
    return rng.choice(makers)(rng)


def thing_or(*makers):
    """Make an object of a kind that an entrance takes, or any."""
    return lambda rng: rng.choice([*makers, thing])(rng)


def key(rng):
    """Choose a key of a dictionary, which compares with others."""
    return rng.choice([None, math.nan, pd.NaT, 2**70, node(rng)])


def edges_of_any_kind(rng):
    m = rng.randrange(6)
    n = (scalar(rng),) if rng.random() < 0.1 else ()
    return (column(rng, m), column(rng, m), column(rng, m), *n)


# Entrances


def check_forest(forest):
    """Compare a forest with that of Kruskal's algorithm in Python numbers."""
    graph = forest.graph
    if graph.n > 1000 or graph.m > 2000:
        return
    assert forest.edges.tolist() == oracles.kruskal(graph.n, graph.u, graph.v, graph.w, forest.maximum)
    assert not forest.edges.flags.writeable
    assert forest.n_components == graph.n - len(forest) == len(set(forest.labels.tolist()))
    repr(forest)


def solve(graph, **options):
    check_forest(boruvka.minimum_spanning_forest(graph, **options))


def options_of_edges(rng):
    options = {}
    if rng.random() < 0.3:
        options["names"] = rng.choice([True, False, None, scalar(rng), column(rng, 4)])
    if rng.random() < 0.15:
        options["n"] = rng.choice([8, 0, scalar(rng)])
    return options


def solve_columns(rng):
    """Check that the ends of each edge are the values that the columns were made from."""
    m = rng.randrange(6)
    held = [values(rng, m) for _ in "uvw"]
    options = options_of_edges(rng)
    graph = boruvka.as_graph(tuple(contained(rng, x) for x in held), **options)
    solve(graph, maximum=rng.random() < 0.3)
    if graph.m == m and isinstance(options.get("names", True), bool | None):
        for ends, given in zip((graph.u, graph.v), held, strict=False):
            assert all(same(a, b) for a, b in zip(graph.name_of(ends).tolist(), given, strict=True))


def same(name, given):
    """Return whether a name is the integer that was given; some columns keep its last 8 bits."""
    integers = isinstance(given, int | np.integer) and type(name) is int and abs(int(given)) < 100
    return not integers or name % 256 == int(given) % 256


def solve_anything(rng):
    graph = boruvka.as_graph(thing_or(rows, frame, network, matrix)(rng), **options_of_edges(rng))
    solve(graph, maximum=rng.random() < 0.3)


def solve_with_options(rng):
    option = rng.choice(["algorithm", "backend", "threads", "options", "maximum", "progress", "on_device"])
    value = scalar(rng)
    many_threads = option == "threads" and type(value) is int and value > 8
    if not many_threads and not (option == "progress" and callable(value)):
        boruvka.minimum_spanning_forest(CYCLE, **{option: value})


points = thing_or(matrix)
CONSTRUCTORS = [
    lambda r: Graph(r.choice([None, 9, scalar(r)]), column(r, 3), column(r, 3), column(r, 3)),
    lambda r: Graph.from_distances(points(r)),
    lambda r: Graph.from_dense(matrix(r), null_value=r.choice([0, None, scalar(r)])),
    lambda r: Graph.from_scipy(thing(r)),
    lambda r: Graph.from_neighbor_lists(matrix(r), matrix(r)),
    lambda r: Graph.from_points(points(r)),
    lambda r: Graph.from_mutual_reachability(
        boruvka.as_graph(matrix(r)), scalar(r), alpha=r.choice([1, scalar(r)])
    ),
    lambda r: Graph.from_points_approximately(
        matrix(r), n_neighbors=r.choice([1, scalar(r)]), ann_index="exact"
    ),
    lambda r: boruvka.as_graph(([0, 1], [1, 2], [3, 4])).with_names(thing(r)),
]
new_edges = thing_or(rows, edges_of_any_kind)
QUERIES = [
    lambda f, r: f.path(thing(r), scalar(r)),
    lambda f, r: f.path(scalar(r), scalar(r)),
    lambda f, r: f.bottleneck(thing(r), scalar(r)),
    lambda f, r: f.bottleneck(column(r, 3), column(r, 3)),
    lambda f, r: check_forest(f.update(new_edges(r))),
    lambda f, r: f.cut(scalar(r)),
    lambda f, r: f.cut_at(scalar(r)),
    lambda f, r: f.cuts(thing(r)).labels,
    lambda f, r: f.regions(r.choice([2, scalar(r)]), thing(r), min_size=r.choice([1, scalar(r)])),
    lambda f, r: f.linkage(),
    *(lambda f, r, to=to: getattr(f, f"to_{to}")() for to in ["polars", "arrow", "pandas"]),
    *(lambda f, r, to=to: getattr(f, f"to_{to}")() for to in ["networkx", "igraph", "scipy"]),
    lambda f, r: verify(f.graph, thing(r)),
    lambda f, r: verify(thing(r), f),
]


@functools.cache
def some_forests():
    solve = boruvka.minimum_spanning_forest
    named = solve([("a", "b", 3), ("b", "c", 1), ("c", "a", 2), ("d", "e", 5)])
    return [
        *(named, named.update([("a", "z", 1)]), solve(([], [], [], 3)), solve(np.arange(16.0).reshape(4, 4))),
        solve([("a", 1, 3), (1, (2, 3), 1), ("\ud800", "a", 2)]),
        solve(([0, 1, 2, 4], [1, 2, 3, 5], [5.0, 2.5, -7, 1]), maximum=True),
        solve(Graph.from_points([[0.0, 1], [2, 3], [5, 5], [9, 1]])),
    ]


def in_networkx(rng):
    """Check that the backend yields what NetworkX yields, or raises what it raises."""
    g = network(rng)
    if not isinstance(g, nx.Graph) or g.is_directed():
        return
    name = rng.choice(["minimum_spanning_edges", "maximum_spanning_edges"])
    options = {"ignore_nan": rng.random() < 0.5, "data": rng.random() < 0.5}
    answers = []
    for run in (
        lambda: list(getattr(nx, name)(g, backend="networkx", **options)),
        lambda: list(getattr(backend, name)(backend.convert_from_nx(g), **options)),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                answers.append(run())
            except Exception as error:
                answers.append(type(error))
    assert answers[0] == answers[1]


def in_scikit_learn(rng):
    estimator = rng.choice([SingleLinkage, HDBSCAN])
    options = {"metric": rng.choice(["euclidean", "precomputed", "euclidean", scalar(rng)])}
    if estimator is SingleLinkage:
        options["n_clusters"] = rng.choice([2, scalar(rng)])
    else:
        options["min_cluster_size"] = 2
    # Other errors than ours are those of scikit-learn's validation.
    with contextlib.suppress(ValueError, TypeError, ArithmeticError, pl.exceptions.PolarsError):
        estimator(**options).fit(points(rng))


def generate(rng):
    family = rng.choice(list(generators.FAMILIES.values()))
    arguments = {}
    for parameter in inspect.signature(family.function).parameters.values():
        if parameter.default is parameter.empty or rng.random() < 0.3:
            arguments[parameter.name] = scalar(rng) if rng.random() < 0.4 else rng.choice([2, 3, 4])
    if not any(isinstance(x, int | float | np.number) and x > 16 for x in arguments.values()):
        solve(family.function(**arguments))


def segment(rng):
    graph = segmentation.pixel_graph(points(rng), rng.choice([4, 8, scalar(rng)]))
    segmentation.segment(graph, scalar(rng), min_size=rng.choice([1, scalar(rng)]))


def in_stream(rng):
    batches = [thing_or(edges_of_any_kind, rows, frame)(rng) for _ in range(rng.randrange(3))]
    source = rng.choice([iter, list, failing_generator, lambda b: frame(rng)])(batches)
    forest = stream.minimum_spanning_forest(source, **({"names": True} if rng.random() < 0.2 else {}))
    assert len(forest) == forest.graph.n - forest.n_components


ENTRANCES = [
    *[solve_columns, solve_anything] * 4,
    *[lambda rng: solve(rng.choice(CONSTRUCTORS)(rng))] * 2,
    *[lambda rng: rng.choice(QUERIES)(rng.choice(some_forests()), rng)] * 2,
    lambda rng: rng.choice([csgraph.minimum_spanning_tree, csgraph.connected_components])(points(rng)),
    *(solve_with_options, in_networkx, in_scikit_learn, generate, segment, in_stream),
]


class Hang(BaseException):
    """A try takes too long."""


def hang(*_):
    raise Hang


def attempt(number):
    """Do one try; raise an `AssertionError` unless its outcome is allowed."""
    rng = random.Random(number)
    entrance = rng.choice(ENTRANCES)
    message = "none"
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            try:
                entrance(rng)
            except (BoruvkaError, MemoryError) as error:
                message = str(error)
            except Theirs:
                pass
        assert 0 < len(message) <= LONGEST_MESSAGE + 10
        for warning in seen:
            ours = "boruvka" in warning.filename and not str(warning.message).startswith(OF_NUMPY)
            assert not ours or issubclass(warning.category, GraphWarning | BackendWarning), warning
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


class UnhashableKeys(Mapping):
    """A mapping whose keys are lists."""

    def __iter__(self):
        return iter([[1], [2]])

    def __len__(self):
        return 2

    def __getitem__(self, key):
        return {0: 1}


def forest():
    return boruvka.minimum_spanning_forest(CYCLE)


def named_forest():
    return boruvka.minimum_spanning_forest([("a", "b", 3), ("b", "c", 1), ("c", "a", 2)])


def calls(function, *arguments):
    """List calls of a function, each with one argument."""
    return [functools.partial(function, argument) for argument in arguments]


def calls_with(function, *options):
    """List calls of a function, each with other options."""
    return [functools.partial(function, **option) for option in options]


def path_graph(weights):
    return nx.Graph([(k, k + 1, {"weight": weight}) for k, weight in enumerate(weights)])


approximate = functools.partial(Graph.from_points_approximately, [[float(i * i)] for i in range(6)], 1)
INT128 = pl.Series([1], dtype=pl.Int128)
BLOCKS = sparse.bsr_array(np.eye(4))
FOUND = [
    *calls(
        boruvka.as_graph,
        (INT128.to_frame(), [0], [1]),
        ([pd.NA, 1], [1, 2], [1, 2]),
        [(0, 1, 2), odd(__len__=lambda: 3)],
        [odd(__len__=lambda: -1)],
        [{1, 2, 3}],
        [sparse.eye(4), np.ones(4), np.ones(4)],
        (pl.DataFrame({"a": [1, 2]}), [1, 2]),
        (["a"], ["x" * 10**6], [math.nan]),
        path_graph([np.array([1, 2])]),
        path_graph([np.array([1, 2]), [1]]),
        path_graph([fractions.Fraction(1, 3)]),
        igraph.Graph(edges=[(0, 1)], edge_attrs={"weight": [np.array([1, 2])]}),
        UnhashableKeys(),
    ),
    *calls_with(functools.partial(boruvka.as_graph, CYCLE), {"n": 10**5000}, {"x" * 10**5: 1}),
    *calls(lambda names: boruvka.as_graph(CYCLE).with_names(names), BLOCKS, np.array(5)),
    lambda: Graph.from_distances(np.ma.masked_array(np.ones((3, 3)), np.eye(3))),
    lambda: Graph.from_dense(np.ones((3, 3), "f2"), null_value="0"),
    *calls_with(
        functools.partial(boruvka.minimum_spanning_forest, CYCLE),
        *({"algorithm": []}, {"backend": []}, {"backend": np.arange(2)}, {"threads": 10**5000}),
        *({"options": 5}, {"options": {"x": 10**5000}}, {"maximum": np.arange(2)}),
        {"on_device": pl.Series([])},
    ),
    *calls(lambda ends: forest().path(*ends), ([0], [1]), ([0, 1], 1)),
    *calls(
        lambda ends: named_forest().path(*ends),
        (["a"], "b"),
        ("a", 10**5000),
        ("a", memoryview(bytearray(2))),
    ),
    lambda: named_forest().bottleneck(INT128, "b"),
    lambda: forest().cut(10**5000),
    lambda: forest().cuts(BLOCKS),
    *calls(lambda x: named_forest().regions(2, x), pd.Interval(0, 1), pd.Index(["a", "b", "c"])),
    lambda: verify(CYCLE, INT128),
    lambda: verify(CYCLE, [1, 2], maximum=[]),
    lambda: csgraph.connected_components(np.full((2, 2), "a", object)),
    lambda: csgraph.minimum_spanning_tree(pl.DataFrame({"a": [1]}, schema={"a": pl.Int128}).lazy()),
    *calls_with(
        functools.partial(csgraph.connected_components, [[0, 1], [1, 0]]),
        *(
            {name: value}
            for name in ("connection", "directed", "return_labels")
            for value in (np.array([1, 0]), pd.NA, FRAME)
        ),
    ),
    lambda: segmentation.pixel_graph(np.ones((2, 2)), pd.NA),
    *calls(
        lambda scale: segmentation.segment(segmentation.pixel_graph(np.ones((2, 2))), scale),
        *(np.complex64(1j), np.timedelta64(1, "D")),
    ),
    lambda: generators.path(3, dtype="01"),
    lambda: generators.kronecker(pa.scalar(-3)),
    lambda: generators.rmat(3, permute=np.arange(2)),
    lambda: generators.geometric(3, weights=pd.Series([1, 2])),
    *calls(
        lambda columns: stream.minimum_spanning_forest(FRAME, columns=columns),
        *(("u", "v", "w", "x"), "uv", "uvwx", ("u", "v", odd(__repr__=fail))),
    ),
    *calls(
        stream.minimum_spanning_forest,
        *(np.array(3), sparse.coo_matrix(np.eye(3)), memoryview(np.zeros((2, 3)))),
    ),
    *calls_with(
        functools.partial(stream.minimum_spanning_forest, [CYCLE]),
        *(
            {"n": np.timedelta64(1, "s")},
            {"foo": 1},
            {"n": odd(__repr__=fail)},
            {"names": odd(__repr__=fail)},
        ),
        {"memory": odd(__repr__=fail, __str__=fail)},
    ),
    *calls_with(
        functools.partial(approximate, ann_index="exact"),
        *({"options": options} for options in (5, [1], len, {None: 1})),
        {"join_components": np.array([])},
    ),
    lambda: approximate(ann_index=[]),
    *(
        lambda estimator=estimator, option=option: estimator(**option).fit(np.ones((6, 1)))
        for estimator in (HDBSCAN, SingleLinkage)
        for option in (
            *({"metric": ["euclidean"]}, {"metric": np.array(["a", "b"])}, {"metric_params": 5}),
            *({"metric_params": {"foo": 1}}, {"metric": "minkowski", "metric_params": {"foo": 1}}),
        )
    ),
    lambda: HDBSCAN(allow_single_cluster=np.array([1, 0])).fit(np.ones((6, 1))),
    *calls(
        lambda cut: HDBSCAN().fit(np.ones((6, 1))).dbscan_clustering(*cut),
        *((1, None), (1, [1, 2]), (1, "a"), ("a",), (math.nan,)),
    ),
    lambda: boruvka.read(5),
    lambda: boruvka.write(named_forest().graph, 5),
    *calls(lambda vertex: named_forest().graph.name_of(vertex), "a", 99, [0, 99], 1.5),
    *calls(
        lambda name: boruvka.minimum_spanning_forest(
            boruvka.as_graph(CYCLE).with_names([name, 1, 2])
        ).to_networkx(),
        *(None, [], ("a", {})),
    ),
]
"""Inputs that gave other errors, or results."""


@pytest.mark.parametrize("call", FOUND, ids=range(len(FOUND)))
def test_what_was_found_before(call):
    with pytest.raises(BoruvkaError) as caught:
        call()
    assert 0 < len(str(caught.value)) <= LONGEST_MESSAGE


def test_what_a_panic_of_polars_is_shown_as():
    class PanicException(BaseException):
        pass

    def panic():
        raise PanicException

    assert errors.shown(odd(__repr__=panic, __len__=lambda: 1)).startswith("<Odd")
    panicking = type("P", (list,), {"__iter__": lambda self: panic()})([1])
    panicking.__class__.__name__ = "list"  # so that reprlib looks at the items
    assert errors.shown(panicking) == "<list>"


@pytest.fixture
def limits(monkeypatch):
    """Limit the memory, and interrupt what hangs.

    Libraries report errors in destructors and callbacks whose objects have no repr, as of ``10**5000``.
    """
    gc.collect()
    gc.freeze()  # streams collect garbage
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: None)
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    before = signal.signal(signal.SIGALRM, hang)
    with open("/proc/self/statm") as file:
        used = int(file.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    signal.signal(signal.SIGALRM, before)


@pytest.mark.usefixtures("limits")
@pytest.mark.parametrize(
    "numbers", [range(100), pytest.param(range(10**6, 10**6 + 8000), marks=pytest.mark.long)]
)
def test_odd_inputs_give_an_answer_or_an_error_of_ours(numbers):
    for number in numbers:
        try:
            attempt(number)
        except BaseException as error:
            raise AssertionError(f"try {number}: {type(error).__name__}") from error
