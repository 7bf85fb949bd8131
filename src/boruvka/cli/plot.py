"""``boruvka plot``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from boruvka.cli.file_command import FileCommand
from boruvka.cli.inputs import Input
from boruvka.cli.options import ANGLE, FILE_PATH, OF_PICTURE, Number, refuse_options
from boruvka.cli.outputs import print_written, standard_output
from boruvka.cli.trees import VertexList, find_vertices, one_vertex, solved, vertex_finder
from boruvka.errors import FormatError, GraphError, OptionError

PICTURES, PAGE, ANIMATIONS, TABLES = ("png", "svg", "pdf"), "html", ("gif", "html"), ("csv", "txt")
COLUMNS, OF_DENDROGRAM = ("colors", "sizes", "labels"), ("leaves", "height", "min_size")
"""Options that name a column of a table, and options for dendrograms."""


@click.command(cls=FileCommand, reads="file", takes_points=True, params=OF_PICTURE)
@click.option(
    "--to",
    "output_format",
    type=click.Choice([*PICTURES, *ANIMATIONS, *TABLES]),
    help="Format of the picture or table; by default its file name decides.",
)
@click.option("--coordinates", type=FILE_PATH, metavar="FILE|weight|log", help="Coordinates, or lengths.")
@click.option(
    "--system",
    type=click.Choice(["xy", "lonlat", "latlon", "radec"]),
    help="Meaning of the two columns of coordinates; by default what the file states, else x and y.",
)
@click.option("--by", help="What colors of edges show: round, component, weight, or a column, such as load.")
@click.option("--colors", metavar="COLUMN", help="Column of --metadata that the colors of vertices show.")
@click.option("--sizes", metavar="COLUMN", help="Column of --metadata that the areas of vertices show.")
@click.option(
    "--labels", is_flag=False, flag_value="", metavar="[COLUMN]", help="Write names, or a metadata column."
)
@click.option("--only", metavar="NAME,...|COLUMN=LOW..HIGH,...", help="Draw these, @LIST, or steps 0,1,...")
@click.option("--axes", is_flag=True, help="Draw axes with numbers around a map of coordinates.")
@click.option("--graph-edges", is_flag=True, help="Draw the other edges of the graph too, in grey.")
@click.option("--dendrogram", is_flag=True, help="Draw the dendrogram of single linkage instead of a map.")
@click.option("--leaves", default=30, show_default=True, help="Number of leaves of a dendrogram.")
@click.option("--height", type=Number(ANGLE), metavar="WEIGHT", help="Cut a dendrogram by a line.")
@click.option("--min-size", default=1, help="Draw only merges of two clusters of at least so many vertices.")
@click.option("--network", is_flag=True, help="Draw the network of the edges of all minimum forests.")
@click.option("--weights", is_flag=False, flag_value="", metavar="[correlation]", help="Write the weights.")
@click.option("--dpi", type=click.IntRange(20, 1200), default=150, show_default=True, help="Dots per inch.")
@click.option(
    "--algorithm",
    type=click.Choice(["boruvka", "kruskal", "prim"], case_sensitive=False),
    help="Show the steps of an algorithm, as an animation, a picture or a table.",
)
@click.option("--start", metavar="NAME", help="The vertex where prim starts: a name, or the number in FILE.")
@click.option(
    "--seconds", type=click.FloatRange(0.1, 60), default=1.2, show_default=True, help="Seconds of a picture."
)
def plot(
    file: Input,
    output: Path,
    output_format: str | None,
    coordinates: Path | None,
    system: str | None,
    by: str | None,
    metadata: Path | None,
    dendrogram: bool,
    weights: str | None,
    collapse_at: float | None,
    algorithm: str | None,
    start: str | None,
    **options: Any,
) -> None:
    """Draw the minimum spanning forest of the graph in FILE; - is standard input.

    The picture is a map (.png, .svg, .pdf); a page (.html), which zooms, searches and cuts the forest at a
    weight; or an animation of the components, which grow round by round (.gif, or .html with --by round), or
    edge by edge (--algorithm kruskal or prim). A page is one file, which needs no network. Of what boruvka
    compare wrote, all edges are drawn. --longest and --fewest draw the edges that boruvka branches leaves.

    Coordinates are a file: DIMACS .co, a table with columns id, x, y (.csv, .tsv, .parquet ...), or .npy,
    also compressed. Without it, vertices are laid out: with weight, edges are as long as their weights, with
    log as the logarithms of 1 + weight.

    Colors of edges show the weight unless --by is another; greater numbers of a column of FILE are wider. A
    page shows all columns of --metadata, and with --by round the rounds of the algorithm.

    The steps of an algorithm are animated, beside each other in a picture, or a table (.csv, .txt): boruvka,
    the default, round by round; kruskal or prim edge by edge, with the sorted edges or the queue beside the
    graph, for up to 60 vertices and 100 edges. --only 0,3,8 shows these steps; 0 is the start.

    \b
    Examples:
      boruvka plot graph.gr -o map.png
      boruvka plot graph.gr --coordinates places.csv --by weight -o map.svg
      boruvka plot graph.gr -o tree.html
      boruvka plot edges.csv --metadata vertices.csv --colors country -o tree.html
      boruvka plot profiles.txt --profiles --id Strain --collapse-at 0 -o strains.png
      boruvka plot profiles.txt --profiles --id Strain --network --weights -o network.png
      boruvka plot halos.csv --points --columns x,y,z --only z=0..10,y=0..5 --axes -o slab.png
      boruvka plot graph.gr --by round -o rounds.html
      boruvka plot net.gpkg --by load -o load.png
      boruvka plot cables.csv --algorithm prim --start x -o steps.gif
      boruvka plot cables.csv --algorithm kruskal --only 0,1,2 -o steps.pdf
      boruvka plot cables.csv --algorithm kruskal --to txt -q -o -
      boruvka plot similar.csv --dendrogram --leaves 60 --min-size 5 -o tree.png
    """
    picture_format = output_format or output.suffix[1:].lower()
    if picture_format not in (*PICTURES, *ANIMATIONS, *(TABLES if algorithm else ())):
        raise OptionError(
            f"{output}: a picture ends in .png, .svg or .pdf, a page in .html, an animation in .gif; with "
            "--algorithm, a table of steps in .csv or .txt; or pass --to png"
        )
    shows_steps = algorithm is not None or picture_format == "gif" or (picture_format, by) == (PAGE, "round")
    is_page = picture_format == PAGE and not shows_steps
    if shows_steps or is_page:
        of_maps = "axes", "graph_edges", "dendrogram", "dpi"
        by_steps = ["by"] * (by != "round" and shows_steps)
        refuse_options("is for pictures: .png, .svg or .pdf, without --algorithm", *of_maps, *by_steps)
    if is_page:
        refuse_options("is for pictures (.png, .svg or .pdf), and with --algorithm", "only")
    if not shows_steps:
        refuse_options("is for --algorithm prim", "start")
    if not shows_steps or picture_format not in ANIMATIONS:
        refuse_options("is for animations: .gif, or .html with --by round or --algorithm", "seconds")
    maps = "is for maps (.png, .svg or .pdf) and pages (.html)"
    if dendrogram or shows_steps:
        refuse_options(maps, "network", "weights", "sizes", "labels")
    if dendrogram or picture_format in TABLES:
        refuse_options(maps, "coordinates", "system", "by", "graph_edges", "only", "axes")
    if shows_steps:
        refuse_options(maps, "metadata", "colors", "longest", "fewest")
    if not dendrogram:
        refuse_options("is for --dendrogram", *OF_DENDROGRAM)
    names = {name: options[name] for name in COLUMNS if options[name]}
    if not names and not is_page:
        refuse_options("needs --colors COLUMN, or --sizes or --labels, in a picture", "metadata")
    from boruvka.graph.text_numbers import column_of_numbers
    from boruvka.runtime.libraries import require
    from boruvka.runtime.output_files import check_writable, writing
    from boruvka.trees.compared import is_comparison
    from boruvka.trees.plotting.rows import SIGNS, chosen_vertices, columns_of_points
    from boruvka.trees.plotting.style import figure_of
    from boruvka.trees.plotting.values import scale_or_texts
    from boruvka.trees.selected_edges import SelectedEdges

    if not is_page and picture_format not in TABLES:
        require("matplotlib", "plot")
    target = standard_output(output)
    check_writable(target)
    forest, table = solved(file, None, metadata, options["metadata_id"], names, maximum=options["maximum"])
    forest = forest.prune(options["longest"], options["fewest"])
    found: Any = forest.network() if options["network"] else forest
    if not (dendrogram or shows_steps) and is_comparison(forest.graph):
        refuse_options("is not for a comparison", "network", "collapse_at", "maximum", "longest", "fewest")
        found, by = SelectedEdges(forest.graph, range(forest.graph.m)), by or "plan"
    if collapse_at is not None:
        found = found.collapse_at(collapse_at)
    where: dict[str, Any] = {"coordinates": None, "system": system}
    if coordinates is not None:
        where = _coordinates_of(found, coordinates, system)
    read = {"sizes": column_of_numbers, "colors": scale_or_texts, "labels": lambda _, values: values}
    columns: dict[str, Any] = {x: table.assign(**{y: read[x](y, table[y])})[y] for x, y in names.items()}
    columns |= {"labels": True} if options["labels"] == "" else {}
    at_edges = weights or weights is not None
    written = f"{len(found):,} edges of {found.n:,} vertices"
    with writing(target) as stream:
        if is_page:
            columns |= {"metadata": table, "colors": options["colors"]}
            found.to_html(stream, **where, **columns, weights=at_edges, by=by)
        elif shows_steps:
            vertex = None if start is None else one_vertex(found.graph, "start", start)
            if vertex is not None and not found.graph.has_names:
                vertex += found.graph.first_id
            how: dict[str, Any] = {"algorithm": algorithm, "start": vertex}
            if picture_format in TABLES:
                steps = found.steps(**how)
                written = f"{len(steps):,} steps"
                rows = steps.to_pandas().to_csv(index=False) if picture_format == "csv" else f"{steps}\n"
                stream.write(rows.encode())
            else:
                only = (text := options["only"]) and [int(x) if x.isdecimal() else x for x in text.split(",")]
                how |= {"only": only, "seconds": options["seconds"], "format": picture_format}
                found.animate(stream, **where, **how)
        else:
            if dendrogram:
                drawn = found.plot_dendrogram(**{name: options[name] for name in OF_DENDROGRAM}, **columns)
            else:
                if (only := options["only"]) is not None:
                    words, find = VertexList.of(only).words("only"), vertex_finder(found.graph)
                    may_be_range = SIGNS.search(only) and columns_of_points(found.graph)
                    is_range = may_be_range and None in map(find, words)
                    chosen = only if is_range else find_vertices(found.graph, "only", words)
                    where["only"] = mask = chosen_vertices(found, chosen)
                    count = (mask[found.u] & mask[found.v]).sum()
                    written = f"{count:,} of {len(found):,} edges, {mask.sum():,} of {found.n:,} vertices"
                where |= {"by": by, **{name: options[name] for name in ("graph_edges", "axes")}}
                drawn = found.plot(**where, weights=at_edges, **columns)
            figure_of(drawn).savefig(stream, format=picture_format, dpi=options["dpi"])
    print_written(output, written)


def _coordinates_of(found: Any, path: Path, system: str | None) -> dict[str, Any]:
    """Read coordinates of the vertices of a graph, NaN where there are none, and their system.

    Words stand for a layout.
    """
    import numpy as np

    from boruvka.formats.points import read_coordinates
    from boruvka.graph.labels import row_of_vertex
    from boruvka.trees.plotting.coordinates import LENGTHS

    if str(path) in LENGTHS:
        return {"coordinates": str(path), "system": system}
    graph = found.graph
    one_based = None if graph.has_names else graph.first_id == 1
    points, vertices, stated, _ = read_coordinates(path, one_based=one_based)
    if vertices is not None and graph.has_names:  # names of files are equal as texts
        names = {str(name): name for name in graph.name_of(np.arange(graph.n)).tolist()}
        vertices = np.array([names.get(str(name), name) for name in vertices.tolist()], object)
    if vertices is not None:
        try:
            rows = row_of_vertex(graph, "coordinates", vertices.tolist(), found.number_of_name)
        except GraphError as error:
            raise FormatError(f"{path}: {error}") from None
        points = np.append(points, np.full((1, 2), np.nan), axis=0)[rows]  # -1 is the last row
    return {"coordinates": points, "system": system or stated}
