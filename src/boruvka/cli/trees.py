"""``boruvka steiner`` and ``boruvka arborescence``: trees that are not the minimum spanning forest."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from boruvka.cli import options
from boruvka.cli.inputs import Input, with_input
from boruvka.cli.options import FILE_PATH, Decorator
from boruvka.cli.outputs import Output
from boruvka.errors import FileError, OptionError, shown
from boruvka.runtime.round_log import Timer


def _with_output(command: Callable[..., Any]) -> Decorator | Callable[..., Any]:
    """Add the options that both commands have."""
    for option in (options.json, options.output_format):
        command = option(command)
    output = click.option(
        "-o", "--output", type=FILE_PATH, help="Write the tree to this file; - is standard output."
    )
    return with_input("file")(output(command))


@click.command()
@click.argument("file", type=FILE_PATH)
@click.option(
    "--terminals",
    required=True,
    metavar="NAME,...",
    help="Vertices to connect: names, or numbers from 0, separated by commas; or @FILE with one a line.",
)
@click.option("--improve", is_flag=True, help="Look for a lighter tree, which takes longer.")
@_with_output
def steiner(file: Input, output: Path | None, output_format: str | None, as_json: bool, **how: Any) -> None:
    """Find a light tree that connects some vertices of the graph in FILE.

    It is at most twice as heavy as the lightest one.

    \b
    Examples:
      boruvka steiner roads.csv --columns from,to,cost --terminals 0,2 -o tree.csv
      boruvka steiner graph.gr --terminals @terminals.txt --improve
    """
    from boruvka.steiner import steiner_tree

    def find(graph: Any) -> tuple[Any, dict[str, Any]]:
        tree = steiner_tree(graph, _terminals(graph, how["terminals"]), improve=how["improve"])
        return tree.edges, {"terminals": tree.terminals.size, "components": tree.n_components}

    _run(find, file, Output(output, output_format, None, as_json, as_json))


@click.command()
@click.argument("file", type=FILE_PATH)
@click.option("--root", metavar="NAME", help="The root: a name, or a number from 0; by default the best one.")
@options.maximum
@_with_output
def arborescence(
    file: Input, output: Path | None, output_format: str | None, as_json: bool, **how: Any
) -> None:
    """Find the lightest arcs along which a root reaches every vertex of the directed graph in FILE.

    Arcs go from the first vertex of a row to the second. The result is checked by the dual solution.

    \b
    Example:
      boruvka arborescence contacts.csv --root patient-0 -o tree.csv
    """
    from boruvka.arborescence import minimum_spanning_arborescence

    def find(graph: Any) -> tuple[Any, dict[str, Any]]:
        root = None if how["root"] is None else _vertex(graph, "root", how["root"])
        tree = minimum_spanning_arborescence(graph, root, maximum=how["maximum"])
        return tree.arcs, {"root": str(graph.name_of(tree.root)), "optimal": tree.is_optimal()}

    _run(find, file, Output(output, output_format, None, as_json, as_json))


def _run(find: Callable[[Any], tuple[Any, dict[str, Any]]], file: Input, target: Output) -> None:
    """Read a graph, find the edges of a tree, write and report them."""
    from boruvka.forest.forest import Forest

    seconds: dict[str, float] = {}
    with target.listening():
        with Timer(seconds, "read"):
            graph = file.read(target.is_silent)
            target.check(graph.names)
        with Timer(seconds, "solve"):
            edges, found = find(graph)
        tree = Forest(graph, edges, False, "tree", "threads")
        target.write(tree)
    size = {"vertices": graph.n, "edges": graph.m, "weights": str(graph.dtype)}
    times = {step: round(value, 4) for step, value in seconds.items()}
    target.print({**size, **found, "tree_edges": len(tree), "weight": tree.weight, "seconds": times})


def _terminals(graph: Any, text: str) -> list[Any]:
    """Parse vertices that are separated by commas, or those in the lines of a file."""
    words = text.split(",")
    if text.startswith("@"):
        try:
            words = Path(text[1:]).read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise FileError(f"{text[1:]}: {getattr(error, 'strerror', None) or error}") from None
    return [_vertex(graph, "terminals", word.strip()) for word in words if word.strip()]


def _vertex(graph: Any, name: str, word: str) -> Any:
    """Parse a vertex: its name if vertices have names that are not numbers, else its number."""
    if graph.names is not None and graph.names.dtype.kind not in "iu":
        return word
    try:
        return int(word)
    except ValueError:
        raise OptionError(f"--{name}: {shown(word)} is not a vertex: they are numbers in this file") from None
