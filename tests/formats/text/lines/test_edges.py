"""Lines of one edge each."""

import pytest

from boruvka.errors import FileError
from boruvka.formats import read
from tests.formats.helpers import edges_of


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

    monkeypatch.setattr(edges, "_cut_into_chunks", exhausted)
    with pytest.raises(FileError, match="not enough memory"):
        read(file("a.gr", "p sp 2 1\na 1 2 3\n"))
