"""Reports of results: a self-contained HTML page, Markdown tables, or figures."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from boruvka.bench.results import Results
from boruvka.bench.tables import Table, facts, markdown, steps_table, times_table
from boruvka.errors import FileError, OptionError
from boruvka.formats.files import writing

__all__ = ["make_folder", "write_figures", "write_report"]

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
HEAD = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Minimum spanning forests, measured</title>
<style>{STYLE}</style>
<h1>Minimum spanning forests, measured</h1>"""
INTERRUPTED = "Interrupted: not all was measured."


def write_report(results: Sequence[Results], path: Path, baseline: str) -> None:
    """Write a report: HTML with figures or Markdown with tables only, by the ending of the file.

    Raises
    ------
    OptionError
        The file has another ending.
    MissingExtraError
        matplotlib is not installed, and the page needs it.
    FileError
        The file cannot be written.
    """
    if path.suffix not in (".html", ".md"):
        raise OptionError(f"{path}: a report ends in .html or .md")
    if path.suffix == ".html":
        parts = [part for i, result in enumerate(results) for part in _html(result, baseline, f"r{i}-")]
        text = "\n".join((HEAD, *parts, "</html>\n"))
    else:
        text = "\n".join(_markdown(result, baseline) for result in results)
    with writing(path) as file:
        file.write(text.encode())


def write_figures(results: Sequence[Results], folder: Path, kind: str) -> list[Path]:
    """Write each figure to its own file.

    Parameters
    ----------
    results : sequence of Results
    folder : Path
        It is created if it does not exist.
    kind : str
        "svg" or "png".

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    OptionError
        There is nothing to draw.
    MissingExtraError
        matplotlib is not installed.
    FileError
        A file cannot be written.
    """
    from boruvka.bench.figures import figures_of, save

    make_folder(folder)
    paths = []
    for i, result in enumerate(results):
        for name, figure in figures_of(result):
            numbered = f"{i + 1}-{name}" if len(results) > 1 else name
            paths.append(folder / f"{numbered}.{kind}")
            save(figure, paths[-1])
    if not paths:
        raise OptionError("there are no figures of these results: of conversions there are tables alone")
    return paths


def make_folder(folder: Path) -> None:
    """Create a folder if it does not exist; raise a `FileError` if that fails."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder}: {error.strerror or error}") from None


def _html(results: Results, baseline: str, prefix: str) -> list[str]:
    """Format facts, figures and tables; ids in figures begin with the prefix."""
    from boruvka.bench.figures import cost_figures, graph_figures, svg

    rows = "".join(f"<tr><td>{escape(name)}<td>{escape(text)}" for name, text in facts(results).items())
    parts = [] if results.complete else [f"<p><strong>{INTERRUPTED}</strong>"]
    parts.append(_details("Machine, versions, scheme", f"<table>{rows}</table>"))
    parts += [svg(figure, f"{prefix}{name}-") for name, figure in cost_figures(results)]
    for i, graph in enumerate(results.graphs):
        table = times_table(graph, baseline)
        parts += [f"<h2>{escape(table.title)}</h2>", _html_table(table)]
        parts += [svg(figure, f"{prefix}{i}-{name}-") for name, figure in graph_figures(graph)]
        for steps in (steps_table(entry) for entry in graph.entries if entry.rounds):
            parts.append(_details(escape(steps.title), _html_table(steps)))
    return parts


def _details(summary: str, content: str) -> str:
    return f"<details><summary>{summary}</summary>{content}</details>"


def _html_table(table: Table) -> str:
    head = "".join(f"<th>{escape(cell)}" for cell in table.header)
    body = []
    for row in table.rows:
        cells = zip(table.header, row, strict=True)
        marked = (f"<td{' class=error' * (name == 'error')}>{escape(cell)}" for name, cell in cells)
        body.append("<tr>" + "".join(marked))
    remarks = "".join(f"<p><small>{escape(remark)}</small>" for remark in table.remarks)
    return f'<div class="wide"><table><tr>{head}\n' + "\n".join(body) + f"</table></div>{remarks}"


def _markdown(results: Results, baseline: str) -> str:
    head = "; ".join(f"{name} {text}" for name, text in facts(results).items())
    head = f"{head}.\nMeasured by `boruvka bench`." + ("" if results.complete else f" {INTERRUPTED}")
    return "\n\n".join([head, *(markdown(times_table(graph, baseline)) for graph in results.graphs)])
