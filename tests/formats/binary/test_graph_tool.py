"""graph-tool's binary files."""

import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka import FormatError, Graph, OptionError
from boruvka.formats import read, read_forest, write
from tests.formats.helpers import forest_of, graphs

MAGIC = b"\xe2\x9b\xbe gt"
WEIGHTS = [
    (np.int64, st.integers(-(2**63), 2**63 - 1)),
    (np.float64, st.floats(allow_nan=False)),
    (np.float32, st.floats(allow_nan=False, width=32)),
    (np.uint8, st.integers(0, 255)),
]


def text(x, order="<"):
    return struct.pack(f"{order}Q", len(x)) + x


def prop(kind, name, value, data, order="<"):
    return struct.pack("B", kind) + text(name, order) + struct.pack("B", value) + data


def file_of(lists, properties, order="<", width="B", version=1):
    """Lay a file out by hand, as the format's description says."""
    parts = [MAGIC, bytes([version, order == ">"]), text(b"a comment", order), b"\0"]
    parts.append(struct.pack(f"{order}Q", len(lists)))
    for neighbours in lists:
        parts.append(struct.pack(f"{order}Q{len(neighbours)}{width}", len(neighbours), *neighbours))
    parts.append(struct.pack(f"{order}Q", len(properties)))
    return b"".join(parts + properties)


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize(("width", "n"), [("B", 4), ("H", 256), ("I", 65536)])
def test_a_file_laid_out_by_hand(order, width, n, tmp_path):
    q = f"{order}Q"
    lists = [[1, 2], [], [3, 3], *[[]] * (n - 3)]
    vectors = [prop(1, b"numbers", 9, struct.pack(q, 2) + bytes(8) + struct.pack(q, 0) * (n - 1), order)]
    properties = [
        prop(0, b"title", 6, text(b"strings of any length", order), order),
        prop(1, b"flag", 0, bytes(n), order),
        *(vectors if n < 65536 else []),  # read one by one
        prop(0, b"words", 13, struct.pack(q, 2) + text(b"a", order) + text(b"bc", order), order),
        prop(0, b"object", 14, text(b"cos\nsystem\n(S'echo never run'\ntR.", order), order),
        prop(2, b"long", 5, bytes(64), order),
        prop(2, b"other", 2, struct.pack(f"{order}4i", 9, 9, 9, 9), order),
        prop(2, b"weight", 4, struct.pack(f"{order}4d", 0.5, -1, 2, float("inf")), order),
    ]
    path = tmp_path / "g.gt"
    path.write_bytes(file_of(lists, properties, order, width))
    graph = read(path)
    assert graph.n == n
    assert graph.u.tolist() == [0, 0, 2, 2]
    assert graph.v.tolist() == [1, 2, 3, 3]
    assert graph.w.tolist() == [0.5, -1, 2, float("inf")]
    assert read(path, columns=("other",)).w.tolist() == [9] * 4
    assert read(path, unweighted=True).w.tolist() == [1] * 4


@pytest.mark.parametrize("weights", WEIGHTS, ids=lambda w: w[0].__name__)
@given(data=st.data())
def test_graphs_and_forests_come_back_by_ends(weights, data, tmp_path):
    graph = data.draw(graphs(weights=weights))
    path = tmp_path / "g.gt.zst"
    write(graph, path)
    back = read(path)
    by_first = np.argsort(graph.u, kind="stable")
    assert back.n == graph.n
    for name in "uvw":
        assert getattr(back, name).tolist() == getattr(graph, name)[by_first].tolist()
    edges = np.arange(0, graph.m, 2)
    write(forest_of(graph, edges), path)
    assert sorted(read_forest(path, graph).tolist()) == edges.tolist()


WEIGHT = prop(2, b"weight", 3, struct.pack("<2q", 5, 6))
GOOD = file_of([[1], [2], []], [WEIGHT])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\xe2\x9b\xbe", "expected graph-tool's format"),
        (b"garbage and more garbage", "expected graph-tool's format"),
        (file_of([[1]], [], version=2), "expected version 1 of graph-tool's format, found 2"),
        (GOOD[:-3], "the file is cut off: expected 16 more bytes"),
        (GOOD[:40], "cut off in the list of neighbours of vertex 0"),
        (GOOD[:46], "cut off in the list of neighbours of vertex 1"),
        (file_of([[7]], [prop(2, b"w", 3, bytes(8))]), "7 is not a vertex"),
        (file_of([[1], []], []), "edges have no property that is a number; pass unweighted=True"),
        (file_of([[1], []], [prop(2, b"a", 3, bytes(8)), prop(2, b"b", 3, bytes(8))]), "among a, b"),
        (file_of([[1], []], [prop(2, b"a", 99, b"")]), "expected a property"),
        (file_of([[1], []], [prop(2, b"w", 4, struct.pack("<d", float("nan")))]), "NaN"),
        (GOOD[:18] + b"\0" + struct.pack("<Q", 2**62) + GOOD[27:], "lists of neighbours of"),
    ],
)
def test_malformed(content, message, tmp_path):
    path = tmp_path / "g.gt"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=message) as caught:
        read(path)
    assert str(path) in str(caught.value)


def test_no_such_property(tmp_path):
    path = tmp_path / "g.gt"
    path.write_bytes(GOOD)
    with pytest.raises(OptionError, match="there are weight"):
        read(path, columns=("cost",))


def test_weights_that_do_not_fit(tmp_path):
    with pytest.raises(FormatError, match=r"2\*\*63 and more"):
        write(Graph(2, [0], [1], np.array([2**63], np.uint64)), tmp_path / "g.gt")
