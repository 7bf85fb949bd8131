"""Results as one HTML page that needs nothing else: tables, figures, no script."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from boruvka.bench.figures import curves, families, steps, svg, times
from boruvka.bench.results import GraphResult, Results
from boruvka.bench.tables import Table, scheme_arguments, steps_table, times_table, title_of

__all__ = ["page"]

STYLE = """
:root { color-scheme: light dark; --line: #8884; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: 0.9rem; }
th, td { text-align: right; padding: 0.15rem 0.7rem; border-bottom: 1px solid var(--line); }
th:first-child, td:first-child, td.error { text-align: left; }
td.error { color: #c33; }
div.wide { overflow-x: auto; }
svg { max-width: 100%; height: auto; }
summary { cursor: pointer; margin: 0.5rem 0; }
"""


def page(results: Sequence[Results], baseline: str) -> str:
    """Write a page about results.

    Parameters
    ----------
    results : sequence of Results
    baseline : str
        Who the others are compared with.

    Returns
    -------
    str
        HTML.

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.
    """
    parts = [
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>Minimum spanning forests, measured</title>\n<style>{STYLE}</style>",
        "<h1>Minimum spanning forests, measured</h1>",
    ]
    for i, result in enumerate(results):
        parts += _about(result)
        for j, (family, graphs) in enumerate(families(result).items()):
            parts.append(svg(curves(family, graphs), f"c{i}-{j}-"))
        for j, graph in enumerate(result.graphs):
            parts += _graph(graph, baseline, f"g{i}-{j}-")
    return "\n".join((*parts, "</html>\n"))


def _about(results: Results) -> list[str]:
    rows = [
        *results.machine.items(),
        *results.versions.items(),
        ("scheme", f"{results.scheme['name']}: {scheme_arguments(results)}"),
    ]
    cells = "".join(f"<tr><td>{escape(name)}<td>{escape(str(text))}" for name, text in rows)
    unfinished = [] if results.complete else ["<p><strong>Interrupted: not all was measured.</strong>"]
    return [
        *unfinished,
        f"<details><summary>Machine, versions, scheme</summary><table>{cells}</table></details>",
    ]


def _graph(graph: GraphResult, baseline: str, prefix: str) -> list[str]:
    parts = [f"<h2>{escape(title_of(graph))}</h2>", _table(times_table(graph, baseline))]
    if any(entry.seconds for entry in graph.entries):
        parts.append(svg(times(graph), f"{prefix}t-"))
    ours = [entry for entry in graph.entries if entry.rounds]
    if ours:
        parts.append(svg(steps(graph), f"{prefix}s-"))
    for entry in ours:
        table = steps_table(entry)
        parts.append(f"<details><summary>{escape(table.title)}</summary>{_table(table)}</details>")
    return parts


def _table(table: Table) -> str:
    head = "".join(f"<th>{escape(cell)}" for cell in table.header)
    body = []
    for row in table.rows:
        marked = [
            f'<td class="error">{escape(cell)}' if name == "error" else f"<td>{escape(cell)}"
            for name, cell in zip(table.header, row, strict=True)
        ]
        body.append("<tr>" + "".join(marked))
    remarks = "".join(f"<p><small>{escape(remark)}</small>" for remark in table.remarks)
    return f'<div class="wide"><table><tr>{head}\n' + "\n".join(body) + f"</table></div>{remarks}"
