"""SteinLib and PACE files."""

import numpy as np
import pytest

import boruvka
from boruvka.formats import read
from tests.formats.helpers import EDGES, assert_malformed, edges_of

STP = "SECTION Graph\nNodes 3\nEdges 2\n"


MALFORMED = [
    # name, content, line (None: the file as a whole), part of the message
    ("a.stp", STP + "E 1 2 5\nE 2 3 6\n", 5, "expected 'E u v w' or 'END', found the end of the file"),
    ("a.stp", STP + "E 1 2 5\nEND\n", 3, "announces 2 edges, but the section holds 1"),
    ("a.stp", STP + "E 1 2 5\nE 1 4 5\nEND\n", 5, "expected ids from 1 to 3, found 'E 1 4 5'"),
    ("a.stp", STP + "E 1 2 5\nA 1 2 5\nEND\n", 5, "expected 'E u v w' or 'END', found 'A 1 2 5'"),
    ("a.stp", STP + "E 1 2 5\nE 1 2\nEND\n", 5, "expected 'E u v w', found 'E 1 2'"),
    ("a.stp", "SECTION Graph\nEdges 2\n", 2, "expected 'Nodes <number>', found 'Edges 2'"),
    ("a.stp", "SECTION Graph\nNodes 2\nE 1 2 3\n", 3, "expected 'Edges <number>' or 'Arcs <number>'"),
    ("a.stp", "SECTION Graph\nNodes x\n", 2, "expected 'Nodes <number>'"),
    ("a.stp", "SECTION Terminals\nEND\n", 2, "expected 'SECTION Graph', found the end of the file"),
]


@pytest.mark.parametrize(("name", "content", "line", "message"), MALFORMED, ids=lambda x: repr(x)[:40])
def test_malformed_files(file, name, content, line, message):
    assert_malformed(file(name, content), line, message)


@pytest.mark.parametrize(("name", "content", "line", "message"), MALFORMED[::3], ids=lambda x: repr(x)[:40])
def test_malformed_files_through_small_chunks(file, small_chunks, name, content, line, message):
    assert_malformed(file(name, content), line, message)


def test_steinlib_passes_other_sections_over(file):
    content = (
        '33D32945 STP File, STP Format Version 1.0\r\n\r\nSECTION Comment\r\nName "x"\r\nEND\r\n\r\n'
        "Section graph\r\nnodes 3\r\nArcs 2\r\na 1 2 5\r\nA 3 2 -7\r\nEnd\r\n\r\n"
        "SECTION Coordinates\r\nDD 1 5 2.5\r\nA 1 2 3\r\nEND\r\nEOF\r\n"
    )
    for name in "a.stp", "a.gr":
        assert edges_of(read(file(name, content))) == EDGES


def test_prizes(file, tmp_path):
    """The lines are those of the DIMACS Challenge of 2014."""
    graph = STP + "E 1 2 5\nE 2 3 7\nEND\nSECTION Terminals\nTerminals 2\n"
    for root, required in ("", None), ("RootP 2\n", [1]):
        found = read(file("a.stp", graph + f"{root}TP 3 2.5\nTP 1 6\nEND\nEOF\n"))
        assert found.prizes.tolist() == [6, 0, 2.5]
        assert (None if found.terminals is None else found.terminals.tolist()) == required
        boruvka.write(found, tmp_path / "b.stp")
        again = read(tmp_path / "b.stp")
        assert again.prizes.tolist() == [6, 0, 2.5]
        assert (None if again.terminals is None else again.terminals.tolist()) == required
    found = read(file("a.stp", graph + "TP 3 0\nTP 1 0\nEND\n"))
    boruvka.write(found, tmp_path / "b.stp")
    assert read(tmp_path / "b.stp").prizes.tolist() == [0, 0, 0]
    found = read(file("a.stp", graph + "RootP 2\nT 3\nT 1\nEND\n"))
    assert (found.terminals.tolist(), found.prizes) == ([2, 0, 1], None)
    found = read(file("a.stp", graph + f"TP 3 2\nTP 1 {2**64 - 1}\nEND\n"))
    assert found.prizes.tolist() == [2**64 - 1, 0, 2]
    found = read(file("a.stp", graph + "TP 3 2\nTP 1 6\nEND\n"))
    assert found.prizes.dtype == np.int64
    tree = boruvka.prize_collecting_tree(found, found.prizes)
    assert (tree.total, tree.lower_bound) == (2, 2)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("TP 4 5", "expected 'TP v p' with v from 1 to 3, found 'TP 4 5'"),
        ("TP 3", "expected 'TP v p', found 'TP 3'"),
        ("TP 3 -1", "expected 'TP v p' with a prize p from 0 to 2.*, found 'TP 3 -1'"),
        ("TP 3 nan", "with a prize p from 0 to"),
        ("TP 3 inf", "with a prize p from 0 to"),
        ("RootP 0", "expected 'RootP v' with v from 1 to 3"),
        ("TP 3 1_000", "with a prize p from 0 to"),
        ("TP 3 18446744073709551616", "with a prize p from 0 to"),
        ("TP 3 5\nTP 3 6", "stp:9: vertex 3 has a prize already"),
        ("TP 1 9007199254740993\nTP 3 0.5", "stp:8: the prize 9007199254740993 would be rounded"),
        ("Terminals x\nT 1", "expected 'Terminals <number>', found 'Terminals x'"),
        ("T 1\nT 2\nTP 3 1", "has prizes, and more than one vertex that must be connected"),
    ],
)
def test_malformed_prizes(file, lines, message):
    with pytest.raises(boruvka.FormatError, match=message):
        read(file("a.stp", STP + f"E 1 2 5\nE 2 3 7\nEND\nSECTION Terminals\n{lines}\nEND\n"))
