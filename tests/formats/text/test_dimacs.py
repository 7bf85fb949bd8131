"""DIMACS shortest path files."""

import pytest

from tests.formats.helpers import assert_malformed

GR = "p sp 3 2\n"


MALFORMED = [
    # name, content, line (None: the file as a whole), part of the message
    ("a.gr", GR + "a 1 2 5\na 1 2\n", 3, "expected 'a u v w', found 'a 1 2'"),
    ("a.gr", GR + "a 1 2 5\na 1 2 5 6\n", 3, "expected 'a u v w', found 'a 1 2 5 6'"),
    ("a.gr", GR + "a 1 2 5\n", 1, "announces 2 arcs, but the file holds 1"),
    ("a.gr", GR + "a 1 2 5\n" * 3, 1, "announces 2 arcs, but the file holds 3"),
    ("a.gr", GR, 1, "announces 2 arcs, but the file holds 0"),
    ("a.gr", GR + "a 1 2 5\na 1 4 5\n", 3, "expected ids from 1 to 3, found 'a 1 4 5'"),
    ("a.gr", GR + "a 0 2 5\na 1 2 5\n", 2, "expected ids from 1 to 3, found 'a 0 2 5'"),
    ("a.gr", GR + "a 1 -2 5\na 1 2 5\n", 2, "expected 'a u v w', found 'a 1 -2 5'"),
    ("a.gr", GR + "a 1 1.5 5\na 1 2 5\n", 2, "expected 'a u v w', found 'a 1 1.5 5'"),
    ("a.gr", GR + f"a 1 {2**64 + 1} 5\na 1 2 5\n", 2, "expected ids from 1 to 3"),
    ("a.gr", GR + "a 1 2 x\n", 2, "expected 'a u v w', found 'a 1 2 x'"),
    ("a.gr", GR + "a 1 2 5x\n", 2, "expected 'a u v w', found 'a 1 2 5x'"),
    ("a.gr", GR + "a 1 2 1e\n", 2, "expected 'a u v w', found 'a 1 2 1e'"),
    ("a.gr", GR + "a 1 2 .\n", 2, "expected 'a u v w', found 'a 1 2 .'"),
    ("a.gr", GR + "a 1 2 --5\n", 2, "expected 'a u v w'"),
    ("a.gr", GR + "a 1 2 0x10\n", 2, "expected 'a u v w'"),
    ("a.gr", GR + "a 1 2 1_000\n", 2, "expected 'a u v w'"),
    ("a.gr", GR + "a12 5\n", 2, "expected 'a u v w', found 'a12 5'"),
    ("a.gr", GR + "a 1,2,5\n", 2, "expected 'a u v w'"),
    ("a.gr", GR + "\nc x\r\nb 1 2 5\n", 4, "expected 'a u v w', found 'b 1 2 5'"),
    ("a.gr", GR + "a 1 2 5\np sp 3 2\n", 3, "expected 'a u v w', found 'p sp 3 2'"),
    ("a.gr", GR + "a 1 2 nan\n", 2, "NaN is not a weight, found 'a 1 2 nan'"),
    ("a.gr", GR + f"a 1 2 {2**64}\n", 2, "the number does not fit 64 bits"),
    ("a.gr", GR + f"a 1 2 {-(2**63) - 1}\n", 2, "the number does not fit 64 bits"),
    ("a.gr", GR + f"a 1 2 {2**63}\na 1 2 -1\n", 3, "no 64-bit integer type holds both negative numbers"),
    ("a.gr", GR + f"a 1 2 {2**53 + 1}\na 1 2 0.5\n", 2, "9007199254740993 stands among fractions"),
    ("a.gr", GR + f"a 1 2 0.5\na 1 2 {10**30 + 1}\n", 3, "stands among fractions"),
    ("a.gr", GR + "a 1 2 1e999\na 1 2 0.5\n", 2, "1e999 is beyond the range of float64"),
    ("a.gr", GR + "a 1 2 -1e9999999999\n", 2, "-1e9999999999 is beyond the range of float64"),
    ("a.gr", "p sp 3\na 1 2 5\n", 1, "expected 'p sp n m', found 'p sp 3'"),
    ("a.gr", "p sp -3 2\n", 1, "expected 'p sp n m'"),
    ("a.gr", f"p sp {2**63} 0\n", 1, "expected 'p sp n m'"),
    ("a.gr", "p sp " + "9" * 5000 + " 0\n", 1, "expected 'p sp n m'"),
    ("a.gr", "c only\np tw 3 2\n1 2\n", 2, "expected 'p sp n m', found 'p tw 3 2'"),
    ("a.gr", "a 1 2 5\n", 1, "expected DIMACS shortest path"),
    ("a.gr", "c only a comment\n", 1, "expected DIMACS shortest path"),
    ("a.gr", f"p sp 3 {10**18}\na 1 2 5\n", 1, f"announces {10**18} arcs, but the file holds 1"),
    ("a.gr", b"\x00\xff\xfe" * 40, 1, "expected DIMACS shortest path"),
    ("a.gr", GR.encode() + b"\x93NUMPY\x00\xff", 2, "expected 'a u v w', found"),
    ("a.gr", b"\xef\xbb\xbfp sp 3 1\r\na 1 2 5 7\r\n", 2, "expected 'a u v w', found 'a 1 2 5 7'"),
    ("a.gr", f"p sp {2**62} 1\na 1 2 5\n", None, "n must be between 0 and 2**48"),
]


@pytest.mark.parametrize(("name", "content", "line", "message"), MALFORMED, ids=lambda x: repr(x)[:40])
def test_malformed_files(file, name, content, line, message):
    assert_malformed(file(name, content), line, message)


@pytest.mark.parametrize(("name", "content", "line", "message"), MALFORMED[::3], ids=lambda x: repr(x)[:40])
def test_malformed_files_through_small_chunks(file, small_chunks, name, content, line, message):
    assert_malformed(file(name, content), line, message)
