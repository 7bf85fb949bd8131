"""``boruvka steiner`` and ``boruvka arborescence``: trees that are not the minimum spanning forest."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from boruvka.cli import options
from boruvka.cli.inputs import Input, with_input
from boruvka.cli.options import FILE_PATH
from boruvka.cli.outputs import Output, rounded, with_output
from boruvka.cli.vertices import VERTEX_LIST, VertexList, find_vertices, one_vertex
from boruvka.cli.writing_command import WritingCommand
from boruvka.errors import OptionError
from boruvka.runtime.arguments import argument
from boruvka.runtime.round_log import Timer

if TYPE_CHECKING:
    from boruvka.trees.acyclic_edges import AcyclicEdges


@click.command(cls=WritingCommand)
@click.argument("file", type=FILE_PATH)
@click.option(
    "--terminals",
    type=VERTEX_LIST,
    metavar="NAME,...",
    help="Vertices to connect: names, or the numbers in FILE, separated by commas; or @LIST, a file with one "
    'a line. Names with commas, or that begin with @, stand in quotes, as in "a,b". By default the terminals '
    "that FILE lists.",
)
@click.option("--improve", is_flag=True, help="Look for a lighter tree, which takes longer.")
@with_output("tree")
@with_input("file")
def steiner(file: Input, target: Output, terminals: VertexList | None, improve: bool) -> None:
    """Find a light tree that connects some vertices of the graph in FILE.

    It is at most twice as heavy as the lightest one. Terminals in several components of the graph get a tree
    in each, with a warning.

    \b
    Examples:
      boruvka steiner roads.csv --columns from,to,cost --terminals 0,2 -o tree.csv
      boruvka steiner graph.gr --terminals @terminals.txt --improve
      boruvka steiner roads.geojson --terminals "(14.4, 50.1),(16.6, 49.2)"
    """
    from boruvka.trees.steiner import steiner_tree

    def find(graph: Any) -> tuple[AcyclicEdges, dict[str, Any]]:
        tree = steiner_tree(graph, _terminals(graph, terminals), improve=improve)
        return tree, {"terminals": tree.terminals.size, "components": tree.n_components}

    _run(find, file, target)


@click.command(cls=WritingCommand)
@click.argument("file", type=FILE_PATH)
@click.option(
    "--root", metavar="NAME", help="The root: a name, or the number in FILE; by default the best one."
)
@options.maximum
@with_output("tree")
@with_input("file")
def arborescence(file: Input, target: Output, root: str | None, maximum: bool) -> None:
    """Find the lightest arcs along which a root reaches every vertex of the directed graph in FILE.

    Arcs go from the first vertex of a row to the second. The result is checked by the dual solution.

    \b
    Example:
      boruvka arborescence contacts.csv --root patient-0 -o tree.csv
    """
    from boruvka.trees.arborescence import minimum_spanning_arborescence

    def find(graph: Any) -> tuple[AcyclicEdges, dict[str, Any]]:
        vertex = None if root is None else one_vertex(graph, "root", root)
        tree = minimum_spanning_arborescence(graph, vertex, maximum=maximum)
        return tree, {"root": str(graph.id_of(tree.root)), "optimal": tree.verify()}

    _run(find, file, target)


def _run(find: Callable[[Any], tuple[AcyclicEdges, dict[str, Any]]], file: Input, target: Output) -> None:
    """Read a graph, find a tree and facts about it, write the tree, and report both."""
    seconds: dict[str, float] = {}
    target.check()
    with target.listening():
        with Timer(seconds, "read"):
            graph = file.read(target.is_silent)
            target.check(graph.names)
        with Timer(seconds, "solve"):
            tree, facts = find(graph)
        target.write(tree)
    size = {"vertices": graph.n, "edges": graph.m, "weights": str(graph.dtype)}
    result = {"tree_edges": tree.edges.size, "weight": tree.weight, "seconds": rounded(seconds)}
    target.print({**size, **facts, **result})


def _terminals(graph: Any, given: VertexList | None) -> Any:
    """Return the terminals that were given, else those that the file lists."""
    if given is not None:
        return find_vertices(graph, "terminals", given.words())
    if graph.terminals is None:
        raise OptionError(f"the file lists no terminals: write {argument('terminals')} NAME,...")
    return graph.terminals
