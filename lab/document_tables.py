"""The tables of the documents, made from the committed results.

A document has a table between the lines ``<!-- table: NAME -->`` and ``<!-- end of table -->``, and
tables.toml says what is in it:

- ``results``: files in ``lab/results``; ``table``: the table of these files;
- ``where``: columns, and the values that the rows may have there;
- ``index``: headers, and the columns that name a line; lines are in the order of the file;
- ``columns``: a header, the column whose value is shown (by default "ms"), and the values of the row
  that is meant. In their place ``by`` lists columns: each combination of their values is a column.

A star marks times whose runs are not as close to one another as the scheme asks.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import click

from lab.harness.results import RESULTS, Record, Rows
from lab.harness.tables import cell, markdown

ROOT = Path(__file__).parents[1]
SPECIFICATIONS = tomllib.loads(Path(__file__).with_name("tables.toml").read_text(encoding="utf-8"))
TABLE = re.compile(r"(<!-- table: (\S+) -->\n)(.*?)(<!-- end of table -->)", re.DOTALL)


def documents() -> list[Path]:
    """List the documents that may have tables."""
    return [ROOT / "README.md", ROOT / "lab" / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def table_of(name: str) -> str:
    """Make a table in Markdown."""
    one = SPECIFICATIONS[name]
    records = [Record.read(RESULTS / f"{result}.json") for result in one["results"]]
    rows = [row for record in records for row in record.tables[one["table"]]]
    rows = [row for row in rows if all(row[x] in allowed for x, allowed in one.get("where", {}).items())]
    lines: dict[tuple[Any, ...], Rows] = {}
    for row in rows:
        lines.setdefault(tuple(row[column] for column in one["index"].values()), []).append(row)
    columns = one.get("columns") or _columns_by(one["by"], rows)
    table = []
    for line in lines.values():
        shown = {header: label(line[0][column]) for header, column in one["index"].items()}
        table.append(shown | {column["header"]: _shown(column, line) for column in columns})
    return markdown(table)


def _columns_by(by: list[str], rows: Rows) -> list[dict[str, Any]]:
    """Make a column of each combination of values."""
    combinations = dict.fromkeys(tuple(row[column] for column in by) for row in rows)
    return [
        {
            "header": ", ".join(
                f"{x} {column.removesuffix('s') if x == 1 else column}" if isinstance(x, int) else label(x)
                for column, x in zip(by, key, strict=True)
            ),
            "where": dict(zip(by, key, strict=True)),
        }
        for key in combinations
    ]


def _shown(column: dict[str, Any], line: Rows) -> str:
    """Format the value of the row of a line that a column shows."""
    for row in line:
        if all(row[x] == value for x, value in column.get("where", {}).items()):
            text = cell(row[value := column.get("value", "ms")])
            return text + "*" * bool(text and value == "ms" and not row.get("converged", True))
    return ""


def label(x: Any) -> str:
    """Return the short name of a graph or contestant."""
    text = cell(x)
    return SPECIFICATIONS["labels"].get(text) or (text.partition(": ")[0] if "-like: " in text else text)


def updated(text: str) -> str:
    """Make the tables of a document again."""
    return TABLE.sub(lambda match: f"{match[1]}\n{table_of(match[2])}\n{match[4]}", text)


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; exit with 1 if a document has other tables.")
def command(check: bool) -> int:
    """Make the tables of the documents from the committed results."""
    changed = 0
    for path in documents():
        text = path.read_text(encoding="utf-8")
        if (new := updated(text)) != text:
            changed += 1
            click.echo(str(path.relative_to(ROOT)))
            if not check:
                path.write_text(new, encoding="utf-8")
    return int(check and changed > 0)
