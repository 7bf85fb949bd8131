"""Fixtures of the tests of formats."""

from pathlib import Path

import pytest

from tests.formats.helpers import COMPRESS


@pytest.fixture
def file(tmp_path):
    """Make a file of a name and content; return its path."""

    def make(name, content):
        data = content.encode() if isinstance(content, str) else content
        compress = COMPRESS.get(Path(name).suffix, bytes)
        path = tmp_path / name
        path.write_bytes(compress(data))
        return path

    return make


@pytest.fixture
def small_chunks(monkeypatch):
    """Let small texts be cut into many parts, read on several threads."""
    from boruvka.formats.text.lines import edges, text

    monkeypatch.setattr(edges, "_CHUNK_BYTES", 16)
    monkeypatch.setattr(text, "_COUNT_BYTES", 7)
    monkeypatch.setattr(edges, "processors", lambda: 2)
