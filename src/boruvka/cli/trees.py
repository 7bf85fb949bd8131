"""``boruvka steiner``, ``clusters`` and other questions about trees, and ``update`` of a written forest.

Vertices are named as files call them, in an option or in the lines of a file.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from boruvka.cli import outputs
from boruvka.cli.file_command import FileCommand
from boruvka.cli.graphs import print_hints
from boruvka.cli.inputs import Input, standard_input
from boruvka.cli.options import (
    ANGLE,
    EXCLUDED,
    FILE_PATH,
    JSON,
    MAXIMUM,
    METADATA,
    OF_FOREST,
    OUTPUT_PATH,
    PRUNED,
    REQUIRED_OUTPUT,
    STANDARD_STREAM,
    THREADS,
    Number,
    Numbers,
    refuse_options,
)
from boruvka.cli.outputs import Output, notice, print_fields, rounded, show_progress
from boruvka.errors import UNLESS_ARCS, FileError, FormatError, OptionError, shown, warn, without_warnings
from boruvka.graph.edge_set import TAKEN
from boruvka.graph.text_dates import dates_in
from boruvka.runtime.arguments import argument, passing
from boruvka.runtime.libraries import pd, require
from boruvka.runtime.round_log import Timer

if TYPE_CHECKING:
    from boruvka.graph.graph import Graph
    from boruvka.trees.forest import Forest
    from boruvka.trees.selected_edges import SelectedEdges
    from boruvka.trees.steiner import SteinerTree

    Find = Callable[[Any], tuple[SelectedEdges, dict[str, Any]]]
    """A function that finds a tree in a graph, and facts about it."""


SIZES_SHOWN = 10
"""Number of the largest clusters whose sizes a report has."""
TABLE = click.Option(["-o", "--output"], type=OUTPUT_PATH, help="Write this table: .csv, .tsv or .parquet.")
PRINTED = click.Option(["-o", "--output"], type=OUTPUT_PATH, default="-", show_default=True, help=TABLE.help)
_QUOTED = r'"(?:[^"]|"")*"'
_WORD = re.compile(rf"[ \t\r\n]*({_QUOTED}|\([^()]*\)|[^,]*?)[ \t\r\n]*,")
_LINE = re.compile(rf"[ \t\r]*({_QUOTED}|[^\n]*?)[ \t\r]*\n")
"""A word of an option before a comma, and a word on a line of a file."""
_WHOLE = re.compile(r"[+-]?[0-9]{1,300}")
"""Whole numbers that may be vertices; Python refuses to convert texts of thousands of digits."""


class VertexList(NamedTuple):
    """Vertices that were typed, or a file that lists them."""

    text: str
    path: Path | None = None

    @classmethod
    def of(cls, value: str) -> VertexList:
        """Take the value of an option: vertices, or ``@`` and the name of a file."""
        return cls(value, Path(value[1:]) if value.startswith("@") else None)

    def __str__(self) -> str:
        return self.text

    def words(self, option: str = "terminals") -> list[str]:
        """Split the text at commas, or the content of the file at newlines, except where they are quoted.

        A word in quotes, in which ``""`` is a quote, is what is between them. Commas in parentheses, as in
        the names of the vertices of a map, separate nothing. Blanks around words are left out.

        Raises
        ------
        OptionError
            A word between two commas is empty, or there are no words.
        FileError, FormatError
            The file cannot be read, or lists no vertex.
        """
        if self.path is None:
            words = _split(self.text, _WORD, ",")
            if not all(words):
                what = "a name is empty" if any(words) else "there is no vertex"
                raise OptionError(f'{argument(option)}: {what} in {shown(self.text)}; "" is the empty name')
        else:
            from boruvka.formats.files import InputFile
            from boruvka.formats.text.lines.text import Text

            source = InputFile(self.path)
            text = source.attempt(lambda: Text.of(source).decoded())  # ends of lines as they are in names
            words = list(filter(None, _split(text, _LINE, "\n")))
            if not words:
                raise FileError(f"{self.path}: the list is empty")
        return [_unquoted(word) for word in words]


def chosen_edges(name: str, paths: tuple[Path, ...], graph: Any, columns: Any = None) -> Any:
    """Read the edges that an option names each time: those in a file, or with values of a column.

    These are one value, as in ``name=Main Street``, or the lines of a file, as in ``name=@streets.txt``; of
    ``name=``, those without a value. An edge has a value of any of the columns, as in Python.
    """
    import numpy as np

    from boruvka.formats import read_forest
    from boruvka.graph.labels import read_edges

    found, chosen = [], dict[str, list[str | None]]()
    for path in paths:
        column, equals, value = str(path).partition("=")
        if equals and not path.exists():
            values = VertexList.of(value)
            chosen.setdefault(column, []).extend([value or None] if values.path is None else values.words())
        else:
            with passing(format="forest_format"):  # an option that no command has
                found.append(read_edges(graph, argument(name), read_forest(path, graph, columns=columns)))
    if chosen:
        found.append(read_edges(graph, argument(name), chosen))
    return np.unique(np.concatenate(found)) if paths else None


@click.command(cls=FileCommand, reads="file", writes="tree", params=[EXCLUDED])
@click.option(
    "--terminals",
    type=VertexList.of,
    multiple=True,
    metavar="NAME,...",
    help="Vertices to connect, or @LIST.",
)
@click.option("--leaves", is_flag=True, help="No path goes through a terminal, which is the end of one edge.")
@click.option("--improve", is_flag=True, help="Look for a lighter tree, which takes longer.")
@click.option("--bound", is_flag=True, help="Report a lower bound of the least weight, and the gap.")
@click.option("--prizes", type=FILE_PATH, metavar="TABLE|COLUMN", help="Choose the vertices by their prizes.")
@click.option("--root", metavar="NAME", help="A vertex that must be in the tree.")
@click.option("--load", metavar="COLUMN", help="Column of --attach, such as kW, whose sum each edge carries.")
@click.option("--plot", type=OUTPUT_PATH, help="Draw the tree: .png, .svg, .pdf, .html; by load with --root.")
def steiner(
    file: Input,
    target: Output,
    terminals: tuple[VertexList, ...],
    leaves: bool,
    improve: bool,
    excluded: tuple[Path, ...],
    bound: bool,
    prizes: Path | None,
    root: str | None,
    load: str | None,
) -> None:
    """Find a light tree that connects some vertices of the graph in FILE.

    It is at most twice as heavy as the lightest one. Terminals in several components of the graph get a tree
    in each, with a warning; --root PLANT keeps the tree of the plant alone, and leaves out terminals that no
    path connects with it.

    Terminals are names, or the numbers in FILE, separated by commas; or @LIST, a file with one a line. Names
    with commas, or that begin with @, stand in quotes, as in "a,b". By default they are the terminals that
    FILE lists, or the places of --attach. --terminals may be given several times.

    With --prizes, the tree connects what is worth it: the weight of its edges and the prizes that it misses
    are together at most twice the least total. The report has a lower bound of the least total, and the
    gap, which is the share of the total above it. Prizes are a table with the columns id and prize, or a
    column of the places of --attach; by default those that a SteinLib file lists.

    The column load of the result has for each edge the sum of a column of the places of --attach, which
    --load names, or else the number of terminals beyond it.

    Streets of a map take --node, which splits them where they meet, --attach PLACES, which joins places to
    them, --tolerance, --rate COLUMN, costs per metre, and --link-rate; boruvka formats geopackage lists
    these options.

    \b
    Examples:
      boruvka steiner roads.csv --columns from,to,cost --terminals 0,2 -o tree.csv
      boruvka steiner graph.gr --terminals @terminals.txt --improve
      boruvka steiner roads.geojson --terminals "(14.4, 50.1),(16.6, 49.2)"
      boruvka steiner roads.gpkg --node --attach buildings.gpkg -o net.gpkg
      boruvka steiner roads.gpkg --node --attach kW.csv --root plant --load kW -o net.gpkg --plot load.png
      boruvka steiner roads.csv --columns from,to,cost --prizes customers.csv --root 0
    """
    from boruvka.trees.prize_collecting import prize_collecting_tree
    from boruvka.trees.steiner import steiner_tree

    def find(graph: Any) -> tuple[SelectedEdges, dict[str, Any]]:
        how: dict[str, Any] = {"improve": improve, "load": load}
        how["excluded"] = closed = chosen_edges("excluded", excluded, graph)
        facts = {} if closed is None else {"excluded_edges": len(closed)}
        start = None if root is None else one_vertex(graph, "root", root)
        if prizes is not None or (graph.prizes is not None and not terminals):
            refuse_options("is not for prizes", "terminals", "leaves")
            if start is None and prizes is None and graph.terminals is not None:
                start = graph.terminals[0]
            values = graph.prizes if prizes is None else _prizes(graph, prizes, file.read_options["attach"])
            found = prize_collecting_tree(graph, values, start, **how)
            if found.crossed.size and not found.edges.size:
                warn("the tree has no edge, as no prize pays for a path: are prizes in the unit of weights?")
            return found, facts | {
                "terminals": found.terminals.size,
                "left_out": [str(name) for name in graph.id_of(found.crossed).tolist()],
                "missed": found.missed,
                "total": found.total,
                **proven(found),
            }
        words = [word for each in terminals for word in each.words()]
        chosen = find_vertices(graph, "terminals", words) if terminals else None
        tree = steiner_tree(graph, chosen, leaves=leaves, root=start, **how)
        facts |= {"terminals": tree.terminals.size, "components": tree.n_components}
        return tree, facts | (proven(tree) if bound else {})

    def proven(tree: SteinerTree) -> dict[str, Any]:
        return {"lower_bound": tree.lower_bound, "gap": round(tree.gap, 4)}

    _run(find, file, target)


@click.command(cls=FileCommand, reads="file", writes="tree", params=[MAXIMUM])
@click.option(
    "--root", metavar="NAME", help="The root: a name, or the number in FILE; by default the best one."
)
@click.option("--plot", type=OUTPUT_PATH, help="Draw the tree with its arrows: .png, .svg, .pdf, .html.")
def arborescence(file: Input, target: Output, root: str | None, maximum: bool) -> None:
    """Find the lightest arcs along which a root reaches every vertex of the directed graph in FILE.

    Arcs go from the first vertex of a row to the second. The result is checked by the dual solution.

    \b
    Example:
      boruvka arborescence contacts.csv --root patient-0 -o tree.csv --plot tree.png
    """
    from boruvka.trees.arborescence import minimum_spanning_arborescence

    def find(graph: Any) -> tuple[SelectedEdges, dict[str, Any]]:
        vertex = None if root is None else one_vertex(graph, "root", root)
        tree = minimum_spanning_arborescence(graph, vertex, maximum=maximum)
        return tree, {"root": str(graph.id_of(tree.root)), "optimal": tree.verify()}

    with without_warnings(UNLESS_ARCS):
        _run(find, file, target)


@click.command(cls=FileCommand, reads="file", takes_points=True, writes="network", params=OF_FOREST)
def network(file: Input, target: Output, maximum: bool, collapse_at: float | None) -> None:
    """Find the edges that are in some minimum spanning forest of the graph in FILE.

    The report says whether there is only one such forest (unique forest); with --collapse-at, of the groups.
    A picture is drawn by: boruvka plot FILE --network -o network.png

    \b
    Examples:
      boruvka network graph.gr -o network.csv
      boruvka network profiles.txt --profiles --id Strain --collapse -o network.csv
    """
    from boruvka.trees.minimum_spanning import minimum_spanning_forest

    def find(graph: Any) -> tuple[SelectedEdges, dict[str, Any]]:
        forest = minimum_spanning_forest(graph, maximum=maximum)
        found = forest.network()
        facts = {"components": found.n_components}
        if collapse_at is not None:
            forest, found = forest.collapse_at(collapse_at), found.collapse_at(collapse_at)
            facts["groups"] = found.n
        facts |= {"unique_forest": len(found) == len(forest), "forest_edges": len(forest)}
        return found, {**facts, "forest_weight": forest.weight}

    _run(find, file, target, "network")


@click.command(cls=FileCommand, reads="file", takes_points=True, params=[PRINTED, MAXIMUM])
def sensitivity(file: Input, output: Path, maximum: bool) -> None:
    """Find how far the weight of each edge in FILE may change before the minimum spanning forest does.

    Each row has an edge, whether it is in the tree, its slack, and its rival. An edge of the tree may become
    heavier by its slack; then its rival replaces it. Another edge replaces its rival as soon as it is lighter
    by its slack.

    \b
    Examples:
      boruvka sensitivity cables.csv
      boruvka sensitivity roads.csv --columns from,to,cost -o sensitivity.csv
    """
    forest, _ = solved(file, output, maximum=maximum)
    outputs.write_table(forest.sensitivity().to_pandas(), output)


@click.command(cls=FileCommand, reads="file", takes_points=True, params=[PRINTED, MAXIMUM])
@click.argument("start")
@click.argument("end")
def path(file: Input, start: str, end: str, output: Path, maximum: bool) -> None:
    """Find the path from START to END in the minimum spanning forest of the graph in FILE.

    The vertices are names, or the numbers in FILE. The heaviest edge of this path is as light as any path
    can have it; with --maximum, the lightest edge is as heavy as possible.

    \b
    Example:
      boruvka path cables.csv x z -o path.csv
    """
    from boruvka.graph.exact import exact_sum

    forest, _ = solved(file, output, maximum=maximum)
    ends = one_vertex(forest.graph, "start", start), one_vertex(forest.graph, "end", end)
    edges, vertices = forest.path(*ends), forest.path(*ends, names=True)
    w = forest.graph.take(edges)[2]
    columns = {"edge": edges, "source": vertices[:-1], "target": vertices[1:], "weight": w}
    outputs.write_table(pd.DataFrame(columns), output)
    last, choose = ("lightest_edge", min) if maximum else ("heaviest_edge", max)
    report = {"path_edges": edges.size, "weight": exact_sum(w), last: choose(w.tolist(), default=None)}
    print_fields(report, err=output == STANDARD_STREAM)


@click.command(cls=FileCommand, reads="file", takes_points=True, params=[PRINTED, MAXIMUM, *PRUNED, JSON])
def branches(file: Input, output: Path, longest: Any, fewest: int, as_json: bool, **options: bool) -> None:
    """Find the branches of the minimum spanning forest of the graph in FILE: paths without a fork.

    Each row has the ends of a branch, its number of edges, its length, and the straight distance of its ends.
    --longest and --fewest prune the forest, as programs that find filaments do; a side branch leads from a
    leaf to a fork. With --maximum, shorter edges are left out. The report counts branches, and the edges that
    are left. boruvka plot draws the pruned forest by the same options.

    \b
    Examples:
      boruvka branches cables.csv -o branches.csv
      boruvka branches halos.csv --points --columns x,y,z --longest 2.5 --fewest 4 -o branches.csv
    """
    forest = solved(file, output, **options)[0].prune(longest, fewest)
    table = forest.branches().to_pandas()
    outputs.write_table(table, output)
    report = {"branches": len(table), "longest_branch": max(table["length"].tolist(), default=None)}
    report |= {"edges": len(forest), "vertices": forest.n, "weight": forest.weight}
    print_fields(report, as_json, err=output == STANDARD_STREAM)


@click.command(cls=FileCommand, reads="file", takes_points=True, params=[PRINTED, MAXIMUM])
@click.option("-k", "--count", "k", type=click.IntRange(1), default=2, help="Number of trees, 2 by default.")
def ranked(file: Input, output: Path, maximum: bool, k: int) -> None:
    """Find the k best spanning trees of the graph in FILE, or forests, the best first.

    The table has the edges of each tree; the columns rank and total say which tree it is, and what it weighs.
    Trees of equal weight are different trees.

    \b
    Examples:
      boruvka ranked cables.csv
      boruvka ranked cables.csv -k 5 -o trees.csv
    """
    forest, _ = solved(file, output, maximum=maximum)
    tables = {(i, tree.weight): tree.to_pandas() for i, tree in enumerate(forest.ranked(k), 1)}
    outputs.write_table(pd.concat(tables, names=["rank", "total"]).reset_index(["rank", "total"]), output)


@click.command(cls=FileCommand, reads="file", takes_points=True, params=[PRINTED, MAXIMUM])
@click.option(
    "--of", type=VertexList.of, metavar="NAME,...", help="Find those of these vertices; by default of all."
)
@click.option(
    "-k", "--count", "k", type=int, default=1, show_default=True, help="Number of nearest vertices."
)
def nearest(file: Input, output: Path, of: VertexList | None, k: int, maximum: bool) -> None:
    """Find the nearest vertices of each vertex in the graph in FILE, such as the closest strains.

    All edges count, not only those of the forest. The table has a row for each vertex and one that is near to
    it, with their distance, the nearest first; others that are as near as the last one are there, too.
    Vertices of --of are names, or the numbers in FILE, between commas, or @LIST, a file with one a line.

    \b
    Examples:
      boruvka nearest profiles.txt --profiles --missing ignore -o nearest.csv
      boruvka nearest profiles.txt new.tsv --profiles --of d -k 3
    """
    from boruvka.graph.labels import with_names_of_strains

    refuse_options("makes one vertex of several strains: leave it out", "collapse")
    forest, _ = solved(file, output, maximum=maximum)
    words = with_names_of_strains(forest.graph, argument("of"), [] if of is None else of.words("of"))
    names = find_vertices(forest.graph, "of", words)
    outputs.write_table(forest.nearest(None if of is None else names, k), output)


@click.command(cls=FileCommand, reads="file", takes_points=True, params=[PRINTED])
@click.option(
    "--at", "height", type=Number(), metavar="WEIGHT", required=True, help="As for boruvka clusters."
)
@click.option("--samples", type=int, default=100, show_default=True, help="Number of samples of loci.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the random numbers.")
def support(file: Input, output: Path, height: float, samples: int, seed: int) -> None:
    """Find how sure the clusters of the profiles in FILE are: the share of samples of loci that have them.

    The table has a row for each cluster at the weight of --at: its name, number of strains, and support.

    \b
    Example:
      boruvka support profiles.txt --profiles --missing ignore --at 1 -o support.csv
    """
    if not file.is_profiles:
        problem = f"support draws loci of profiles: write {argument('is_profiles', True)}"
        raise OptionError(f"{problem}; of series, rolling_windows.md of the manual draws rows, in Python")
    forest, _ = solved(file, output)
    outputs.write_table(forest.support(height, samples=samples, seed=seed), output)


@click.command(
    cls=FileCommand, reads="file", takes_points=True, params=[TABLE, *METADATA, MAXIMUM, THREADS, JSON]
)
@click.option(
    "--at",
    "heights",
    type=Numbers(ANGLE),
    metavar="WEIGHT,...",
    multiple=True,
    callback=lambda context, parameter, value: sum(value, ()),
    help="Clusters are what edges of at most this weight join; 0.5deg and 30arcsec are angles on a sphere.",
)
@click.option("-k", "--count", "k", type=int, help="Cut the heaviest edges, for this number of clusters.")
@click.option(
    "--min-cluster-size",
    type=Numbers(),
    metavar="NUMBER,...",
    help="With --points, HDBSCAN: least number of points of a cluster.",
)
@click.option("--previous", type=FILE_PATH, help="Table of an earlier run, whose clusters keep their names.")
@click.option("--addresses", is_flag=True, help="Add a column of addresses, such as 1.1.2.")
def clusters(
    file: Input,
    output: Path | None,
    heights: tuple[float, ...],
    k: int | None,
    min_cluster_size: tuple[Any, ...] | None,
    previous: Path | None,
    addresses: bool,
    metadata: Path | None,
    metadata_id: str | None,
    as_json: bool,
    **options: Any,
) -> None:
    """Find the clusters of single linkage, or with --min-cluster-size of HDBSCAN, in the graph in FILE.

    The table has a row for each vertex, or with --collapse for each profile. A cluster is called by its first
    vertex, or as in the table of an earlier run (--previous). The column of names is called as in FILE, else
    strain or vertex. The report has the number of clusters, of those with a single member, and the largest
    sizes.

    Of several weights, the table has a column for each. --previous is a table at the same weights: its
    clusters keep their names, also with new or other rows. Columns tell new, joined, merged and split rows,
    and their old clusters; the report counts them, and with --json names the clusters that were merged or
    split. Addresses are the numbers of the clusters at all weights, the largest clusters first; those in the
    table of --previous stay.

    With --min-cluster-size instead of --at and -k, the table has the cluster of each point, -1 for noise, and
    the probability that it belongs to it. By default, --min-samples is the same number, or the first one of
    several, whose clusters the report compares.

    \b
    Examples:
      boruvka clusters profiles.txt --profiles --at 1,7 -o clusters.csv
      boruvka clusters profiles.txt --profiles --at 1,7 --previous clusters.csv -o week2.csv
      boruvka clusters edges.csv --maximum --at 3.5 -o clusters.csv
      boruvka clusters prices.csv --format prices -k 5 -o clusters.csv
      boruvka clusters places.csv --points --columns x,y --id id --min-cluster-size 5 -o clusters.csv
    """
    import numpy as np

    from boruvka.formats.metadata import read_metadata
    from boruvka.graph.distances import unit_of
    from boruvka.interop.data_frames import frame_of_vertices, new_frame

    least, passed = min_cluster_size, {name: name for name in click.get_current_context().params}
    if least is not None:
        refuse_options("is not for --min-cluster-size", "heights", "k", "previous", "addresses", "maximum")
        if file.min_samples is None:
            file, passed["min_samples"] = file._replace(min_samples=least[0]), "min_cluster_size"
    elif not heights and k is None:
        raise OptionError("write --at WEIGHT,... or -k NUMBER, or both; --min-cluster-size is for HDBSCAN")
    if output is None:
        refuse_options("adds columns to a table: write -o clusters.csv too", "metadata", "addresses")
    old: Any = None
    if previous is not None:
        read = read_metadata(previous)
        old = new_frame(str(previous), {read.id: read.names} | read.columns)
    with passing(**passed):
        forest, more = solved(file, output, metadata, metadata_id, **options)
    graph = forest.graph
    table: Any = None
    cuts = list[tuple[str, Any, Any, dict[str, Any]]]()
    if least is not None:
        found, columns = forest.hdbscan(least), dict[str, Any]()
        for i, (size, labels) in enumerate(zip(least, found.labels, strict=True)):
            end = f"_{size}" * (len(least) > 1)
            columns |= {f"cluster{end}": labels, f"probability{end}": found.probabilities[i]}
            quality = {name: round(getattr(found, name)[i].item(), 3) for name in ("persistence", "validity")}
            if (labels < 0).all():
                warn(f"no cluster of {size}: one alone needs allow_single_cluster, in Python")
            cuts.append(("min_cluster_size", size, labels, {"noise": int((labels < 0).sum()), **quality}))
        table = frame_of_vertices(graph, {"vertex": forest.vertices}, lambda names: names | columns)
    else:
        at = forest.cuts(heights)
        cuts = [("at", height, at[i], {}) for i, height in enumerate(at.heights)]
        cuts += [] if k is None else [("k", k, forest.cut(k), {})]
        if output is not None or old is not None:
            table = forest.clusters(heights, k=k, previous=old, addresses=addresses)
    if more is not None:
        table = table.join(more[[name for name in more if name not in table]])
    if output is not None:
        outputs.write_table(table, output)
    report: dict[str, Any] = {"vertices": graph.n, "components": forest.n_components}
    report["row_counts"] = graph.annotations.row_counts
    if unit := unit_of(graph.annotations.pairs) or "standard deviations" * file.scale:
        report["unit"] = unit
    members = None if graph.profiles is None else graph.profiles.sizes
    counts = list[Any]()
    changes: list[str] = [] if old is None else [name for name in table if str(name).startswith("change_")]
    for i, (name, value, labels, quality) in enumerate(cuts):
        sizes = np.sort(np.bincount(labels + 1, members)[1:].astype(np.int64))[::-1]
        single = int((sizes == 1).sum())
        largest = sizes[: max(sizes.size - single, 1)][:SIZES_SHOWN].tolist()
        facts = {"clusters": sizes.size, "single": single, "largest": largest, **quality}
        if old is not None:
            now, was = (table[changes[i].replace("change", kind, 1)] for kind in ("cluster", "was"))
            for what, its in now.groupby(table[changes[i]]):
                count = its.nunique()
                text = f"{its.size:,} in {count:,} cluster{'s' * (count != 1)}"
                counted: dict[str, Any] = {"rows": its.size, "clusters": count}
                if what in ("merged", "split"):
                    counted["names"] = {str(old): new.unique().tolist() for old, new in its.groupby(was)}
                facts |= {what: counted if as_json else text} if what else {}
        counts.append({name: value, **facts} if as_json else (f"{name} {value}", facts))
    lines = {"clusters": counts} if as_json else dict(counts)
    print_fields(report | lines, as_json, err=output == STANDARD_STREAM)


@click.command(cls=FileCommand, reads="old_forest", writes="forest", params=[MAXIMUM])
@click.argument("new_edges", type=FILE_PATH)
def update(old_forest: Input, new_edges: Path, maximum: bool, target: Output) -> None:
    """Add the edges in NEW_EDGES to the forest in OLD_FOREST, which solve or update wrote.

    The result is the minimum spanning forest of all edges that were ever read: a new edge replaces a heavier
    one that it closes a cycle with. Options for reading are for NEW_EDGES, and --names is for both files.
    OLD_FOREST has columns u, v and w, or those of --columns; Parquet says whether it is a maximum forest.
    If both files have a pair, its better weight stays; the report counts these pairs as known.
    There is no column edge, as no file has all edges; verify finds them by ends and weights in one that has.
    To take edges away, solve all others: a forest does not have those that would replace them.

    \b
    Examples:
      boruvka update monday.csv tuesday.csv -o forest.csv
      boruvka update monday.csv calls.csv --columns from,to,fee --missing drop --bad-rows skip -o next.csv
    """
    import numpy as np

    from boruvka.graph.exact import check_float_types, common_type, convert_exactly
    from boruvka.graph.validation import check_maximum, pair_keys
    from boruvka.interop.column_names import warn_of_similarities
    from boruvka.trees.minimum_spanning import minimum_spanning_forest

    def find(new: Graph) -> tuple[SelectedEdges, dict[str, Any]]:
        old = _read_old(old_forest)
        check_maximum(old.annotations.written_as, maximum)
        if maximum and old.annotations.written_as[1] is None:
            notice(f"{path}: taken for a maximum spanning forest, which only Parquet says of itself")
        warn_of_similarities(new.annotations.weight_column, maximum)
        known = [x for x in (old, new) if x.n] or [old]  # a file without edges has no ids
        ids = ["names" if x.has_names else f"numbers from {x.first_id}" for x in known]
        if ids[0] != ids[-1]:
            kinds = f"ids in {path} are {ids[0]}, and in {new_edges} {ids[-1]}"
            raise OptionError(f"{kinds}: pass {'--names' if 'names' in ids else '--one-based'}")
        if known[0].has_names:  # in one file, all of them may be integers
            old, new = (x.with_names(map(str, x.id_of(np.arange(x.n)).tolist())) for x in (old, new))
        old, new = (x.with_first_id(known[0].first_id) for x in (old, new))
        check_float_types([(old.w, str(path)), (new.w, str(new_edges))])
        dtype = common_type(old.dtype, new.dtype)
        forest = minimum_spanning_forest(old.with_weights(convert_exactly(old.w, dtype)), maximum=maximum)
        if len(forest) < old.m:
            raise OptionError(f"{path}: edges close cycles, as in no forest: write boruvka solve")
        with without_warnings("that an edge joins already"):  # which is usual here: they are counted
            larger = forest.update(new)
        graph, joined = larger.graph, int((larger.edges >= old.m).sum())
        pairs = pair_keys(graph.n, graph.u, graph.v)
        is_known = np.isin(pairs[old.m :], pairs[: old.m]) & (graph.u != graph.v)[old.m :]
        facts = {"vertices": graph.n, "edges": graph.m, "weights": str(graph.dtype), "new_edges": new.m}
        facts |= {"known_pairs": int(is_known.sum()), "joined": joined}
        return larger, facts | {"replaced": old.m + joined - len(larger)}

    path = old_forest.path
    _run(find, old_forest._replace(path=new_edges), target._replace(has_index=False), "forest")


@click.command(cls=FileCommand, reads="first", params=[JSON])
@click.argument("second", type=FILE_PATH)
@click.option("-o", "--output", type=OUTPUT_PATH, help="Write all edges: .gpkg, .csv, .tsv or .parquet.")
def compare(first: Input, second: Path, output: Path | None, as_json: bool) -> None:
    """Compare two plans: which edges are in both files, which in one of them, and what they weigh.

    FIRST and SECOND are trees or networks that were written, of one graph or of two that have vertices in
    common. Edges are the same if they have the same ends; the columns weight_first and weight_second have
    both weights. In a map their lengths must be the same, too, and where edges are parallel, or vertices have
    numbers and the files other numbers of them, the weights, to 4 digits. The column plan of the output says
    "both", "only first" or "only second", and all edges are drawn by:
    boruvka plot both.gpkg --by plan -o both.png

    --date names the window of each file, or one window that is in both, of what boruvka windows wrote;
    ,DATE is the window of SECOND alone. If a file has no weights, only the ends of edges are compared.

    \b
    Examples:
      boruvka compare net.gpkg detour.gpkg -o both.gpkg
      boruvka compare monday.csv tuesday.csv
      boruvka compare windows.csv windows.csv --date 2024-09-30,2024-10-15
    """
    from boruvka.graph.exact import exact_sum
    from boruvka.trees.selected_edges import SelectedEdges

    if output is not None:
        outputs.check_table(output, takes_maps=True)
    with show_progress():
        dates = [None] if first.date is None else dates_in(first.date)
        if len(dates) > 2:
            raise OptionError(f"{argument('date', first.date)} names more than two windows")
        files = first._replace(date=dates[0] or None), first._replace(path=second, date=dates[-1] or None)
        try:
            graphs = [file.read() for file in files]
        except FormatError as error:
            if "there is no column of weights" not in str(error) or STANDARD_STREAM in (first.path, second):
                raise
            warn(f"{str(error).partition(';')[0]}: edges are compared by their ends, each of weight 1")
            ends: Any = first.read_options | {"unweighted": True}
            graphs = [file._replace(read_options=ends).read() for file in files]
    table = SelectedEdges.compare(*(SelectedEdges(graph, range(graph.m)) for graph in graphs))
    if output is not None:
        outputs.write_table(table, output)
    report: dict[str, Any] = {}
    for plan in "both", "only first", "only second", "all":
        rows = table[(table["plan"] == plan) | (plan == "all")]
        columns = {x: rows[x].dropna().to_numpy(float) for x in ("weight_first", "weight_second")}
        sums = {x: exact_sum(w) for x, w in columns.items() if w.size}
        report[plan.replace(" ", "_")] = {"edges": len(rows), **sums}
    print_fields(report, as_json, err=output == STANDARD_STREAM)


def _read_old(file: Input) -> Graph:
    """Read a forest, which has other columns than the new edges, or the same."""
    from boruvka.interop.column_names import ROLES

    if any(isinstance(column, int) or column in TAKEN for column in file.read_options["keep"]):
        known = "names that columns of both files have, and not edge, source, target or weight"
        raise OptionError(f"{argument('keep')} takes {known}: rename the columns of NEW_EDGES")
    own: dict[str, Any] = dict.fromkeys(("columns", "header", "format")) | {"unweighted": False}
    options, columns = file.read_options | own, file.read_options["columns"]
    with passing(**{name: name for name in options if name not in own}):  # these are for the new edges
        for each in (ROLES, columns) if columns and file.path != STANDARD_STREAM else ():
            with suppress(FormatError, OptionError):
                return file._replace(read_options=options | {"columns": each}).read()
        return file._replace(read_options=options).read()


@click.command(cls=FileCommand, reads="file", params=[REQUIRED_OUTPUT])
@click.option("--window", type=int, required=True, metavar="ROWS", help="Number of rows of a window.")
@click.option(
    "--step", default="1", help="Rows between windows, or where they end: ME, QE, or dates as in FILE."
)
@click.option("--method", default="pearson", help="Correlation: pearson, or spearman, that of ranks.")
@click.option("--plot", type=OUTPUT_PATH, help="Picture of mean weights and survival: .png, .svg, .pdf.")
def windows(file: Input, output: Path, window: int, step: str, method: str, plot: Path | None) -> None:
    """Find the tree of correlations in each window that rolls over the rows of the table in FILE.

    FILE is a table of returns or prices. The output is a table (.csv, .tsv, .parquet) of the edges of each
    tree, with the last date of its window. A line for each window is printed: weight of the tree, edges that
    survive from the window before, hub.

    --drop NAME,... leaves out series. --missing says what to do where one lacks a value: error, drop,
    pairwise, for which --min-periods is the least number of common rows, or, of prices, ffill.

    \b
    Examples:
      boruvka windows prices.csv --format prices --window 250 --step ME -o windows.csv
      boruvka windows prices.csv --format prices --drop SPY --missing ffill --window 250 -o windows.csv
      boruvka windows prices.csv --format prices --window 250 --plot windows.png -o windows.csv
    """
    from boruvka.formats.reading import read_windows

    outputs.check_table(output)
    if plot is not None:
        outputs.check_picture(plot)
    with show_progress():
        every = int(step) if step.isdigit() and len(step) < len("20241231") else step
        trees = read_windows(standard_input(file.path), window, every, method, **file.read_options)
    if plot is not None:
        outputs.write_picture(plot, trees.plot())
    outputs.write_table(trees.to_pandas(), output)
    notice(trees.summary().to_string(), err=output == STANDARD_STREAM)


def _run(find: Find, file: Input, target: Output, noun: str = "tree") -> None:
    """Read a graph, find a tree and facts about it, write the tree, and report both."""
    seconds: dict[str, float] = {}
    target.check()
    with target.listening():
        with Timer(seconds, "read"):
            graph = file.read()
            target.check(graph.names)
            print_hints(graph)
            metadata = metadata_of(graph, target.metadata, target.metadata_id)
        with Timer(seconds, "solve"):
            tree, facts = find(graph)
        target.write(tree, metadata)
    size = {"vertices": graph.n, graph.counted: graph.m, "weights": str(graph.dtype)}
    if (places := graph.annotations.places) is not None:
        size |= {"places": len(places), "named_by": places.index.name}
    size["row_counts"] = graph.annotations.row_counts
    warn_of_infinity(tree, noun)
    result = {f"{noun}_edges": tree.edges.size, "weight": tree.weight, "seconds": rounded(seconds)}
    target.print({**size, **facts, **result})


def warn_of_infinity(tree: Any, noun: str) -> None:
    """Warn of edges whose weight is infinite, except in a matrix, which has a warning of its own."""
    count = 0 if math.isfinite(tree.weight) else int((abs(tree.w) == math.inf).sum())
    if count and not hasattr(tree.graph, "matrix"):
        warn(f"edges of the {noun} ({count:,}) have the weight inf")


def _prizes(graph: Any, given: Path, attached: tuple[Path, ...] | None) -> Any:
    """Read the prizes of vertices in a table or map, or return the name of a column of attached places."""
    import numpy as np

    from boruvka.formats.files import path_and_layer
    from boruvka.formats.metadata import read_metadata
    from boruvka.trees.steiner import column_of_places

    if attached is not None and not os.path.isfile(path_and_layer(given)[0]):
        return str(given)
    read = read_metadata(given, vertices={*map(str, graph.id_of(np.arange(graph.n)).tolist())})
    wanted = "prize" if len(read.columns) > 1 else next(iter(read.columns))
    numbers = column_of_places("prizes", read.columns, wanted)
    names = find_vertices(graph, "prizes", read.names)
    return {name: value for name, value in zip(names, numbers, strict=True) if value is not None}


def _split(text: str, word: re.Pattern[str], separator: str) -> list[str]:
    return [match[1] for match in word.finditer(text + separator)]


def _unquoted(word: str) -> str:
    return word[1:-1].replace('""', '"') if re.fullmatch(_QUOTED, word) else word


def one_vertex(graph: Any, name: str, text: str) -> Any:
    """Find the vertex that an option names; quotes are not needed, but allowed.

    Raises
    ------
    OptionError
        The graph has no such vertex.
    """
    return find_vertices(graph, name, [_unquoted(text)])[0]


def find_vertices(graph: Any, name: str, words: list[str]) -> list[Any]:
    """Find the vertices that an option names.

    Parameters
    ----------
    graph : Graph
        The graph.
    name : str
        The name of the option, for errors.
    words : list of str
        Names, or numbers that begin as in the file of the graph. Names that are not strings, such as numbers
        or coordinates, are written as tables show them.

    Returns
    -------
    list
        The vertices as functions of Python take them: names, or numbers from 0.

    Raises
    ------
    OptionError
        The graph has no such vertex.
    """
    find = vertex_finder(graph)
    found = [find(word) for word in words]
    if None in found:
        word = words[found.index(None)]
        raise OptionError(f"{argument(name)}: {shown(word)} is not a vertex: {_known_vertices(graph, word)}")
    return found


def vertex_finder(graph: Any) -> Callable[[str], Any]:
    """Return a function that finds the vertex of a word as `find_vertices` does; None if there is none."""
    if not graph.has_names:
        return partial(_number, graph)
    from boruvka.graph.names import number_of_name

    numbers = number_of_name(graph.name_of(slice(None)))
    texts = {str(each): each for each in numbers if not isinstance(each, str)}
    return partial(_name, numbers, texts)


def solved(file: Input, output: Path | None, *metadata: Any, **options: Any) -> tuple[Forest, Any]:
    """Read a graph, find its forest, and return it and the metadata of the vertices.

    Before, check that a table can be written to the output, if there is one. Metadata are further arguments
    of `metadata_of`, and options are options of `minimum_spanning_forest`.
    """
    from boruvka.trees.minimum_spanning import minimum_spanning_forest

    if output is not None:
        outputs.check_table(output)
    with show_progress():
        graph = file.read()
        found = metadata_of(graph, *metadata or (None, None))
        forest = minimum_spanning_forest(graph, **options)
    print_hints(graph)
    return forest, found


def metadata_of(
    graph: Graph, path: Path | None, named_by: str | None, options: Mapping[str, str] = MappingProxyType({})
) -> pd.DataFrame | None:
    """Make a frame with a row for each vertex, or for each profile where these were collapsed, of a table.

    Values are as in the file. The column of names is ``named_by``; without it, it may be called as in the
    file of the graph, or ``id``. The options name other columns. None without a path. Rows are in the order
    of the vertices or the profiles, which are the members of groups with ``--collapse-at``.
    """
    if path is None:
        refuse_options("is a column of a table: name the table, --metadata FILE", *options, "metadata_id")
        return None
    import numpy as np

    from boruvka.formats.metadata import read_metadata
    from boruvka.graph.edge_set import EdgeSet
    from boruvka.graph.labels import TEXTS_OF_FILE, column_of_names, row_of_vertex, warn_of_missing
    from boruvka.graph.names import name_hint
    from boruvka.interop.data_frames import frame_of_rows, new_frame
    from boruvka.trees.plotting.rows import Rows

    require("pandas", "pandas")
    labels = Rows.of(EdgeSet(graph, [])).labels.graph
    known = {*map(str, labels.id_of(np.arange(labels.n)).tolist())}
    table = read_metadata(path, column_of_names(graph), known, named_by)
    if not table.is_recognised:
        notice(f"{path}: the column {shown(table.id)} has the names ({argument('metadata_id')} for another)")
    columns = {table.id: table.names} | table.columns
    for name in [name for name in options if options[name] not in columns]:
        found = ", ".join(map(shown, columns)) + name_hint(dict.fromkeys(columns, 0), options[name])
        raise OptionError(f"{argument(name, options[name])} is not a column of {path}; these are {found}")
    columns = columns if table.id in options.values() else table.columns
    find = vertex_finder(labels)
    of_rows = [name if (vertex := find(name)) is None else vertex for name in table.names]
    rows = row_of_vertex(labels, f"{path}: column {shown(table.id)}", of_rows)
    warn_of_missing(labels, str(path), rows)
    frame = frame_of_rows(new_frame(str(path), columns), rows)
    frame.attrs = dict(TEXTS_OF_FILE)
    return frame


def _known_vertices(graph: Any, word: str) -> str:
    """Return what a message says of the vertices if none is called so."""
    if not graph.has_names:
        last = graph.n - 1 + graph.first_id
        numbers = f"they are numbers from {graph.first_id} to {last} in this file"
        return numbers if graph.n else "there is none"
    from boruvka.graph.names import name_hint
    from boruvka.graph.validation import naming_of_places

    names = [*map(str, graph.name_of(slice(None)))]
    first = naming_of_places(graph) or "; the first ones are " + ", ".join(names[:3])
    return f"none has this name{name_hint(dict.fromkeys(names, 0), word) or first}"


def _number(graph: Any, word: str) -> int | None:
    is_known = _WHOLE.fullmatch(word) and 0 <= int(word) - graph.first_id < graph.n
    return int(word) - graph.first_id if is_known else None


def _name(numbers: dict[Any, int], texts: dict[str, Any], word: str) -> Any:
    """Return the name of a vertex that a word means, None if there is none."""
    if word in numbers:
        return word
    if word in texts:
        return texts[word]
    if _WHOLE.fullmatch(word) and int(word) in numbers:
        return int(word)
    with suppress(ValueError):
        place = tuple(map(float, word.removeprefix("(").removesuffix(")").split(",")))
        if len(place) > 1 and place in numbers:
            return place
    return None
