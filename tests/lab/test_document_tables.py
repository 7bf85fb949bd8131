"""Documents show what the committed results hold."""

import pytest

from lab import document_tables
from lab.document_tables import SPECIFICATIONS, TABLE, documents, label, table_of, updated
from lab.harness.tables import cell, markdown


@pytest.mark.parametrize("path", documents(), ids=lambda path: path.name)
def test_tables_equal_the_results(path):
    text = path.read_text(encoding="utf-8")
    assert text.count("<!-- table: ") == len(TABLE.findall(text))
    assert updated(text) == text, "run: python -m lab tables"


def test_every_table_is_in_a_document():
    shown = [match[1] for path in documents() for match in TABLE.findall(path.read_text(encoding="utf-8"))]
    assert sorted(shown) == sorted(set(SPECIFICATIONS) - {"labels"})


def test_an_edit_by_hand_is_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(document_tables, "ROOT", tmp_path)
    page = tmp_path / "README.md"
    monkeypatch.setattr(document_tables, "documents", lambda: [page])
    right = f"a\n<!-- table: start -->\n\n{table_of('start')}\n<!-- end of table -->\nb\n"
    page.write_text(right.replace("|---", "| 7 |\n|---", 1))
    with pytest.raises(SystemExit) as caught:
        raise SystemExit(document_tables.command.main(["--check"], standalone_mode=False))
    assert caught.value.code == 1
    assert document_tables.command.main([], standalone_mode=False) == 0
    assert page.read_text() == right


def test_cells():
    assert [cell(x) for x in (None, True, 12345, 0.00123456, 1234.5, 0.5, "a")] == [
        "", "yes", "12,345", "0.0012", "1,234", "0.5", "a",
    ]  # fmt: skip
    assert label("NE-like: grid:rows=9") == "NE-like"
    assert markdown([{"a": "x|y", "b": 1.0}]) == "| a | b |\n|---|---|\n| x\\|y | 1 |\n"
    assert markdown([]) == ""
