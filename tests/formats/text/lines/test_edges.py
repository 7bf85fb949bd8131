"""Lines of one edge each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boruvka.errors import FileError
from boruvka.formats import read
from tests.formats.helpers import edges_of


@pytest.mark.filterwarnings("ignore:only .* vertices have an edge:boruvka.errors.GraphWarning")
def test_ids_beyond_32_bits(file, small_chunks):
    graph = read(file("a.csv", f"0,1,5\n1,2,6\n{2**40},7,8\n2,3,4\n"))
    assert graph.n == 2**40 + 1
    assert edges_of(graph)[2] == (2**40, 7, 8)
    graph = read(file("a.gr", f"p sp {2**48} 1\na {2**48} 1 5\n"))
    assert edges_of(graph) == [(2**48 - 1, 0, 5)]
    graph = read(file("a.csv", f"1,{2**48},5\n"), one_based=True)
    assert edges_of(graph) == [(0, 2**48 - 1, 5)]
    graph = read(file("a.csv", f"0,{2**32 - 1},5\n"))
    assert graph.n == 2**32
    assert graph.v.tolist() == [2**32 - 1]


def test_missing_memory_is_an_error_of_ours(file, monkeypatch):
    from boruvka.formats.text.lines import edges

    def exhausted(*_):
        raise MemoryError

    monkeypatch.setattr(edges, "_Chunks", exhausted)
    with pytest.raises(FileError, match="not enough memory"):
        read(file("a.gr", "p sp 2 1\na 1 2 3\n"))


IDS = st.one_of(st.integers(0, 99), st.integers(0, 2**31)).flatmap(
    lambda i: st.sampled_from([str(i), str(i), f"00{i}", str(i).zfill(18)])
)
INTEGERS = st.one_of(
    st.integers(-(2**63), 2**63 - 1).map(str),
    st.integers(0, 10**17).map(str),
    st.integers(0, 99).map(lambda i: f"+{i}"),
    st.integers(0, 99).map(lambda i: f"{i:040d}"),
)
DECIMALS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.floats(0, 1).map(repr),
    st.from_regex(r"-?[0-9]{1,25}\.[0-9]{0,25}", fullmatch=True),
    st.from_regex(r"0\.0{0,30}[0-9]{1,19}", fullmatch=True),
    st.integers(-(2**53), 2**53).map(str),
)


@st.composite
def lines(draw, weights):
    """Draw edges as texts, and lines that hold them: most as usual, some with blanks, among comments."""
    edges = draw(st.lists(st.tuples(IDS, IDS, weights), min_size=1, max_size=12))
    text = []
    for edge in edges:
        text += draw(st.sampled_from([[], [], [], ["# 1 2 3"], [""]]))
        separator, end = draw(st.sampled_from([(" ", ""), (" ", ""), ("\t", ""), ("  ", ""), (" ", " \r")]))
        text.append(separator.join(edge) + end)
    return edges, "\n".join(text) + draw(st.sampled_from(["", "\n"]))


@pytest.mark.filterwarnings("ignore:only .* vertices have an edge:boruvka.errors.GraphWarning")
@pytest.mark.filterwarnings("ignore:.* are one vertex, as ids are numbers")
@pytest.mark.parametrize("chunk", [None, 16])
@given(data=st.data())
def test_usual_and_unusual_lines(chunk, data, tmp_path, monkeypatch):
    from boruvka.formats.text.lines import edges as module

    if chunk:
        monkeypatch.setattr(module, "_CHUNK_BYTES", chunk)
    weights, number = data.draw(st.sampled_from([(INTEGERS, int), (DECIMALS, float)]))
    edges, text = data.draw(lines(weights))
    (tmp_path / "a.el").write_bytes(text.encode())
    graph = read(tmp_path / "a.el", header=False)
    expected = [(int(u), int(v), number(w)) for u, v, w in edges]
    assert [repr(edge) for edge in edges_of(graph)] == [
        repr((u, v, type(edge[2])(w))) for edge, (u, v, w) in zip(edges_of(graph), expected, strict=True)
    ]
    if number is int:
        assert graph.w.dtype == "int64"
