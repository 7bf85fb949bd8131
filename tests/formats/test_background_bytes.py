"""Text that is parsed while another thread decompresses it."""

import gzip
import threading

import numpy as np
import pytest

from boruvka.errors import FormatError
from boruvka.formats import files, read
from boruvka.formats.background_bytes import BackgroundBytes, SizeMismatch
from tests.formats.helpers import COMPRESS, NAMES_OF_COMPRESSIONS, NEEDS_ZSTANDARD

M = 400
ENDINGS = [".gz", pytest.param(".zst", marks=NEEDS_ZSTANDARD)]


@pytest.fixture(autouse=True)
def arriving(monkeypatch, small_chunks):
    """Let small texts arrive in small pieces; check that no thread is left."""
    from boruvka.formats.text.lines import edges

    monkeypatch.setattr(files, "_ARRIVING_BYTES", 1)
    monkeypatch.setattr(files, "_INFLATE_BYTES", 7)
    monkeypatch.setattr(files, "processors", lambda: 2)
    monkeypatch.setattr(edges, "_ARRIVING_CHUNK_BYTES", 50)
    yield
    assert "boruvka decompression" not in [thread.name for thread in threading.enumerate()]


def text_of(weight=str, letter="", end="\n"):
    rng = np.random.default_rng(5)
    u, v, w = rng.integers(0, 99, (3, M)).tolist()
    return "".join(
        f"{letter}{a + bool(letter)} {b + bool(letter)} {weight(c)}\n{'#' if not letter else 'c'} {k}\n" * 1
        + "\n" * (k % 7)
        for k, (a, b, c) in enumerate(zip(u, v, w, strict=True))
    ).rstrip("\n") + end, list(zip(u, v, w, strict=True))


def edges_of(graph):
    return list(zip(graph.u.tolist(), graph.v.tolist(), graph.w.tolist(), strict=True))


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("weight", [str, lambda w: f"{w}.0", lambda w: f"{w}" if w < 90 else f"{w}.0"])
@pytest.mark.parametrize("end", ["\n", ""])
def test_edges_are_those_of_the_text(tmp_path, ending, weight, end):
    text, edges = text_of(weight, end=end)
    path = tmp_path / f"a.el{ending}"
    path.write_bytes(COMPRESS[ending](text.encode()))
    content = files.InputFile(path).background_content
    assert isinstance(content, BackgroundBytes)
    content.finish()
    assert edges_of(read(path)) == edges


def test_dimacs(tmp_path):
    text, edges = text_of(letter="a ")
    path = tmp_path / "a.gr.gz"
    path.write_bytes(gzip.compress(f"c first\np sp 99 {M}\n{text}".encode()))
    assert edges_of(read(path)) == edges


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("line", [1, 200, 2 * M - 1])
def test_an_error_names_its_line(tmp_path, ending, line):
    lines = text_of()[0].splitlines()
    lines[line - 1 : line] = ["1 2 x"]
    path = tmp_path / f"a.el{ending}"
    path.write_bytes(COMPRESS[ending]("\n".join(lines).encode()))
    with pytest.raises(FormatError, match=f":{line}: expected .* found '1 2 x'"):
        read(path, header=False)


@pytest.mark.parametrize(
    "last", ["3 4", "3 4 ", "3 4 5 6", pytest.param("3 9999999999999999 5", marks=pytest.mark.long)]
)
def test_a_last_line_that_is_malformed(tmp_path, last):
    path = tmp_path / "a.el.gz"
    path.write_bytes(gzip.compress(b"0 1 2\n" * 20 + last.encode()))
    with pytest.raises(FormatError, match=f"a.el.gz:21: .*found '{last.strip()}'"):
        read(path)


@pytest.mark.parametrize("ending", ENDINGS)
def test_compressed_data_that_is_cut_off(tmp_path, ending):
    whole = COMPRESS[ending](text_of()[0].encode())
    for size in (len(whole) // 4, len(whole) - 9, len(whole) - 1):
        path = tmp_path / f"a.el{ending}"
        path.write_bytes(whole[:size])
        with pytest.raises(FormatError, match=rf"the {NAMES_OF_COMPRESSIONS[ending]} data is cut off"):
            read(path)


def test_a_damaged_checksum_is_noticed_even_beside_a_malformed_line(tmp_path):
    for text in text_of()[0], "1 2 x\n" + text_of()[0]:
        data = bytearray(gzip.compress(text.encode()))
        data[-6] ^= 1
        (tmp_path / "a.el.gz").write_bytes(data)
        with pytest.raises(FormatError, match="the gzip data is damaged"):
            read(tmp_path / "a.el.gz", header=False)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("cut", [10, 1500, 3000])
def test_several_members_state_the_size_of_one(tmp_path, ending, cut):
    text, edges = text_of()
    path = tmp_path / f"a.el{ending}"
    path.write_bytes(b"".join(COMPRESS[ending](part.encode()) for part in (text[:cut], text[cut:])))
    assert edges_of(read(path)) == edges


def test_an_interrupt_stops_the_thread(tmp_path):
    path = tmp_path / "a.el.gz"
    path.write_bytes(gzip.compress(text_of()[0].encode()))
    source = files.InputFile(path)

    def interrupted():
        assert source.background_content[:5]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        source.attempt(interrupted)


@pytest.mark.parametrize("size", [1, 7, 8, 9, 20])
def test_bytes_are_found_as_they_arrive(size):
    content = b"abc\nabcd"
    arriving = BackgroundBytes(iter([b"abc", b"\nab", b"cd"]), size)
    if size == len(content):
        assert (arriving.find(b"\n", 0), arriving.find(b"\n", 4), arriving.find(b"\n", 8)) == (3, -1, -1)
        assert (arriving[2:6], arriving[:99]) == (b"c\nab", content)
        arriving.finish()
    else:
        with pytest.raises(SizeMismatch):
            arriving.finish()
