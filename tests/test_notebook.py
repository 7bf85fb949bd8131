"""The notebook of a tutorial: the cells of its page. `python -m tests.test_notebook` writes it again."""

import json
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[1] / "docs" / "tutorials" / "points.md"
NOTEBOOK = PAGE.with_suffix(".ipynb")


def notebook_of(page):
    """Make a notebook of the text and the Python of a page, and list what the page says it prints."""
    cells, printed = [], []
    for part in re.split(r"(^```.*?^```\n)", page, flags=re.DOTALL | re.MULTILINE):
        if part.startswith("```python\n"):
            kind, text = "code", part.removeprefix("```python\n").removesuffix("```\n")
        elif part.startswith("```text\n"):
            printed.append(part.removeprefix("```text\n").removesuffix("```\n"))
            continue
        else:
            kind, text = "markdown", part
        if text.strip():
            extra = {"execution_count": None, "outputs": []} if kind == "code" else {}
            source = text.strip().splitlines(keepends=True)
            cells.append(
                {"id": f"cell-{len(cells)}", "cell_type": kind, "metadata": {}, "source": source} | extra
            )
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}, printed


def test_the_notebook_has_the_cells_of_its_page():
    expected, printed = notebook_of(PAGE.read_text())
    assert json.loads(NOTEBOOK.read_text()) == expected
    assert len(printed) >= 4


@pytest.mark.long
@pytest.mark.filterwarnings("ignore")  # those of Jupyter
def test_the_notebook_runs(tmp_path):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    table = nbformat.v4.new_code_cell("tree")
    notebook.cells.append(table)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    codes = [cell for cell in notebook.cells if cell.cell_type == "code"]
    printed = [out.text for cell in codes for out in cell.outputs if out.output_type == "stream"]
    assert printed == notebook_of(PAGE.read_text())[1]
    (shown,) = notebook.cells[-1].outputs
    assert "<table" in shown.data["text/html"]
    assert "629" in shown.data["text/html"]
    assert (tmp_path / "points.png").stat().st_size > 1000


if __name__ == "__main__":
    made = json.dumps(notebook_of(PAGE.read_text())[0], indent=1, ensure_ascii=False)
    NOTEBOOK.write_text(made + "\n", encoding="utf-8")
