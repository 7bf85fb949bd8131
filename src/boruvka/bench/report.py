"""Files made of results: a page, Markdown tables, figures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from boruvka.bench.results import Results
from boruvka.bench.tables import markdown, scheme_arguments, times_table
from boruvka.errors import FileError, OptionError
from boruvka.formats.files import writing

__all__ = ["write_figures", "write_report"]


def write_report(results: Sequence[Results], path: Path, baseline: str) -> None:
    """Write a page: HTML with figures, or Markdown with the tables alone, as the ending says.

    Raises
    ------
    OptionError
        Another ending.
    MissingExtraError
        matplotlib is not installed, and the page needs it.
    FileError
        The file cannot be written.
    """
    if path.suffix not in (".html", ".md"):
        raise OptionError(f"{path}: a report ends in .html or .md")
    if path.suffix == ".html":
        from boruvka.bench.html_report import page

        text = page(results, baseline)
    else:
        text = "\n".join(_markdown(result, baseline) for result in results)
    with writing(path) as file:
        file.write(text.encode())


def write_figures(results: Sequence[Results], folder: Path, kind: str) -> list[Path]:
    """Write every figure to a file of its own.

    Parameters
    ----------
    results : sequence of Results
    folder : Path
        It is made where it is not there.
    kind : str
        "svg" or "png".

    Returns
    -------
    list of Path
        The files.

    Raises
    ------
    MissingExtraError
        matplotlib is not installed.
    FileError
        A file cannot be written.
    """
    from boruvka.bench.figures import figures_of, save

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder}: {error.strerror or error}") from None
    paths = []
    for i, result in enumerate(results):
        for name, figure in figures_of(result):
            numbered = f"{i + 1}-{name}" if len(results) > 1 else name
            paths.append(folder / f"{numbered}.{kind}")
            save(figure, paths[-1])
    return paths


def _markdown(results: Results, baseline: str) -> str:
    about = "; ".join(
        f"{name} {text}" for name, text in (*results.machine.items(), *results.versions.items())
    )
    scheme = f"{results.scheme['name']} ({scheme_arguments(results)})"
    head = f"{about}.\nMeasured by `boruvka bench`, scheme {scheme}."
    if not results.complete:
        head += " Interrupted: not all was measured."
    return "\n\n".join([head, *(markdown(times_table(graph, baseline)) for graph in results.graphs)])
