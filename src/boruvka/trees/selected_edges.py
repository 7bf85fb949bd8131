"""Some edges of a graph as a result: they can be converted, drawn and written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from boruvka.graph.edge_set import EdgeSet
from boruvka.graph.graph import Graph
from boruvka.runtime.arguments import flag
from boruvka.runtime.libraries import pa, pd, pl

if TYPE_CHECKING:
    import geopandas
    import igraph
    import networkx
    from matplotlib.axes import Axes
    from scipy import sparse


class SelectedEdges(EdgeSet):
    """Edges that were selected from a graph: trees, or a `Network`.

    Everything is derived from the edges when it is first read.

    Attributes
    ----------
    graph : Graph
        The graph.
    edges : (k,) array of int64
        Indices of the edges in the graph, ascending. Rows that ``missing="drop"`` leaves out have none: see
        `to_pandas`.
    maximum : bool
        Whether heavy edges were wanted.
    """

    maximum: bool
    _in_repr: ClassVar[tuple[str, ...]] = "n", "edges", "n_components", "weight"
    """Attributes that `repr` shows, of arrays the size."""

    def __init__(self, graph: Graph, edges: ArrayLike, maximum: bool = False):
        super().__init__(graph, edges)
        vars(self).update(maximum=maximum)

    def to_scipy(self) -> sparse.csr_array:
        """Convert the edges to a sparse array, as ``scipy.sparse.csgraph.minimum_spanning_tree`` returns it.

        Each edge is one entry, at (u, v) as in the graph, so the array is not symmetric. Edges of weight
        zero are stored zeros: count edges with ``nnz``, and beware of operations that drop zeros
        (``eliminate_zeros``, ``count_nonzero``, dense arrays).

        Returns
        -------
        (n, n) csr_array
            The weights in the type of the input; float16 becomes float32, as SciPy does not support it.

        Raises
        ------
        MissingExtraError
            SciPy is not installed.
        """
        from boruvka.interop.exports import to_scipy

        return to_scipy(self)

    def to_networkx(self) -> networkx.Graph[Any]:
        """Convert the edges to a NetworkX graph.

        Returns
        -------
        networkx.Graph
            A DiGraph for an arborescence. The nodes are the names of all vertices, else 0 to n - 1; a Steiner
            tree has only its own. Edges have the attributes ``weight``, an int or a float (``longdouble`` is
            rounded to float64), ``edge``, the index in the graph, and more columns of `to_pandas`, such as
            ``correlation``.

        Raises
        ------
        MissingExtraError
            NetworkX is not installed.
        """
        from boruvka.interop.networkx import to_networkx

        return to_networkx(self)

    def to_igraph(self) -> igraph.Graph:
        """Convert the edges to an igraph graph.

        Returns
        -------
        igraph.Graph
            All n vertices, with the attribute ``name`` if they have names, and the edges in ascending order
            of index; directed for an arborescence. Edges have the attributes ``weight``, an int or a float
            (``longdouble`` is rounded to float64), ``edge``, the index in the graph, and more columns of
            `to_pandas`, such as ``correlation``.

        Raises
        ------
        MissingExtraError
            igraph is not installed.
        """
        from boruvka.interop.igraph import to_igraph

        return to_igraph(self)

    def to_pandas(self, columns: Iterable[str] = ()) -> pd.DataFrame:
        """Convert the edges to a pandas frame.

        Parameters
        ----------
        columns : iterable of str
            More columns of the frame that the graph was made from, and of those that were added to it.

        Returns
        -------
        pandas.DataFrame
            A row per edge, in ascending order of index, with the columns ``edge`` (its index in the graph),
            ``source``, ``target`` (names if vertices have them, else numbers from 0) and ``weight``, which
            keep their types. If the graph was made from a frame, these three have the names that they have
            there, and the rows keep their index: ``frame.loc[forest.to_pandas().index]``. After
            ``Forest.update`` with a frame, it is the index of ``pandas.concat([frame, new])`` if no label is
            there twice, else that with ``ignore_index=True``; with other edges, it has their numbers. Where
            rows were left out, ``frame.iloc[forest.edges]`` has other rows. Where weights are distances of
            correlations, the column ``correlation`` has the correlations, except for rounding. A Steiner tree
            with a root adds ``load``, the number of terminals that an edge connects with it, unless a column
            has this name.

        Raises
        ------
        OptionError
            There is no such column.
        MissingExtraError
            pandas is not installed.
        """
        from boruvka.interop.data_frames import to_frame

        return to_frame(self, "pandas", columns)

    def to_arrow(self, columns: Iterable[str] = ()) -> pa.Table:
        """Convert the edges to an Arrow table.

        Parameters
        ----------
        columns : iterable of str
            As for `to_pandas`.

        Returns
        -------
        pyarrow.Table
            As for `to_pandas`, without an index; ``longdouble`` is rounded to float64.

        Raises
        ------
        GraphTypeError
            Names of vertices are not of one type, such as strings or integers.
        MissingExtraError
            pyarrow is not installed.
        """
        from boruvka.interop.data_frames import to_frame

        return to_frame(self, "arrow", columns)

    def to_polars(self, columns: Iterable[str] = ()) -> pl.DataFrame:
        """Convert the edges to a polars frame.

        Parameters
        ----------
        columns : iterable of str
            As for `to_pandas`.

        Returns
        -------
        polars.DataFrame
            As for `to_pandas`, without an index; ``longdouble`` is rounded to float64.

        Raises
        ------
        GraphTypeError
            Names of vertices are not of one type, such as strings or integers.
        """
        from boruvka.interop.data_frames import to_frame

        return to_frame(self, "polars", columns)

    def to_geopandas(self) -> geopandas.GeoDataFrame:
        """Return the lines of the edges: rows of the frame or map that the graph was made from.

        Returns
        -------
        geopandas.GeoDataFrame
            Geometry, other columns, index and coordinate reference system are taken from the frame. Of other
            graphs with coordinates, straight lines, with the columns source and target. The columns ``edge``,
            the index in the graph, and ``weight`` are added; a column of the frame with such a name becomes
            ``edge_given`` or ``weight_given``. A piece of a line has its own weight, but the attributes of
            the whole line. A Steiner tree with a root adds ``load``, as in `to_pandas`.

        Raises
        ------
        GraphTypeError
            The vertices have no coordinates.
        MissingExtraError
            geopandas is not installed (the extra ``geo``).
        """
        from boruvka.interop.geopandas import to_geopandas

        return to_geopandas(self)

    def compare(self, other: SelectedEdges) -> pd.DataFrame:
        """Make a table of the edges of two results, such as plans with and without a street.

        Parameters
        ----------
        other : Forest, SteinerTree or another result
            Of the same graph, also with other weights or without some edges; or of another graph with the
            same names of vertices. Edges of graphs that differ are the same if their ends are. In a map their
            lengths must be the same, too, and where edges of a graph are parallel, or vertices have no names
            and the graphs have other numbers of them, the weights, to 4 digits. The entries (i, j) and (j, i)
            of a matrix are one edge.

        Returns
        -------
        pandas.DataFrame or geopandas.GeoDataFrame
            A row per edge: those of this result, then those that only the other one has. The column ``plan``
            says "both", "only first" or "only second", ``weight_first`` and ``weight_second`` are the weights
            in both, NaN where one does not have the edge; ``edge``, the index in the graph, and ``weight``
            are those of the first that has it. Of lines there are geometry, in the reference system of this
            result, and the columns of `to_geopandas`, else the names of the ends, called as in `to_pandas`.

        Raises
        ------
        GraphError, GraphTypeError
            The other one is no result, no vertex is in both graphs, or only one is of lines, or has a
            reference system.
        MissingExtraError
            pandas is not installed.

        Examples
        --------
        >>> import boruvka
        >>> roads = [("a", "b", 1), ("b", "c", 2), ("a", "c", 4)]
        >>> first, second = (boruvka.minimum_spanning_forest(roads, excluded=x) for x in ([], [1]))
        >>> first.compare(second)["plan"].tolist()
        ['both', 'only first', 'only second']
        """
        from boruvka.trees.compared import compare

        return compare(self, other)

    def to_nodes(self, metadata: Any = None, *, members: bool = False) -> pd.DataFrame:
        """Make a table of the vertices, as programs that draw trees take it beside the table of edges.

        Parameters
        ----------
        metadata : frame or mapping of names to columns, optional
            More columns, with a row for each vertex: a frame of pandas or polars, a table of Arrow, a series
            of pandas, or a mapping whose columns may be series. Labels of vertices are matched as in
            `Forest.plot`. If profiles were collapsed, there may be a row for each profile; different values
            of a vertex are one text, as "ICU; Ward 3", and the column is of texts then.
        members : bool
            Whether there is a row for each profile instead, whose name is in the first column.

        Returns
        -------
        pandas.DataFrame
            A row per vertex with its name, else its number from 0, ``component``, ``degree`` (in the forest)
            and ``size`` (the number of profiles, else 1), and the metadata. The column of names is called as
            in the table that the graph was made from, else ``strain`` for profiles, or ``vertex``. Where
            vertices may be several profiles, their column is called ``vertex``.

        Raises
        ------
        GraphError, GraphTypeError
            The metadata have another number of rows, labels do not match the vertices, or they are not a
            table.
        MissingExtraError
            pandas is not installed.
        """
        from boruvka.graph.labels import column_of_names
        from boruvka.interop.data_frames import table_of_nodes
        from boruvka.trees.plotting.rows import Rows

        nodes, rows = table_of_nodes(self), Rows.of(self)
        if flag("members", members) and rows.labels is not self:
            nodes = nodes.iloc[rows.vertex].reset_index(drop=True)
            names = rows.labels.graph.name_of(np.arange(rows.vertex.size))
            nodes.insert(0, column_of_names(self.graph, nodes), names)
        if metadata is None:
            return nodes
        table = rows.table if members else rows.table_of_vertices
        more = table("metadata", metadata)
        return nodes.join(more.rename(columns={name: f"{name}_given" for name in nodes.columns}))

    def to_html(
        self,
        output: Any,
        coordinates: Any = None,
        *,
        system: str | None = None,
        sizes: ArrayLike | Mapping[Any, Any] | None = None,
        colors: str | ArrayLike | Mapping[Any, Any] | None = None,
        labels: ArrayLike | Mapping[Any, Any] | None = None,
        metadata: Any = None,
        weights: bool | str = False,
        by: str | None = None,
    ) -> None:
        """Write a page of HTML on which the reader moves, searches, and chooses what colors show.

        The page is one file, which opens in a browser without a server and loads nothing. It zooms and pans,
        shows the metadata of the vertex under the pointer, finds names and values, colors vertices by any
        column of the metadata or by group, and has a slider: edges beyond the chosen weight are faint, and
        groups are what the others join, as `Forest.cut_at` returns them. 10,000 vertices are drawn smoothly.
        Around a tree of streets, the other streets are faint, and crosses mark prizes that a prize-collecting
        tree leaves, and terminals that no path connects.

        Parameters
        ----------
        output : path-like or binary file
            The file. ``tree.html#color=country&threshold=3&search=Brno`` opens it in a state, which the
            address shows when the reader changes it.
        coordinates, system, sizes, labels
            As for `plot`.
        colors : str, (n,) array_like, or mapping, optional
            The name of a column of the metadata, or values as for `plot`: the colors at first.
        metadata : frame or mapping of names to columns, optional
            A row for each vertex, as for `to_nodes`. If profiles were collapsed, there may be a row for each
            profile: then a vertex is a pie of them, and the legend counts profiles.
        weights : bool or "correlation"
            Whether the page shows the weights of edges at first, as it does for a small tree; or show the
            correlations that they were made of in their place.
        by : str, optional
            The weight, or a column of edges, such as ``load``, that their colors and widths show, as for
            `plot`; by default none.

        Raises
        ------
        FileError
            The file cannot be written.
        OptionError
            No column of the metadata has the name ``colors``; or there is no such ``system`` or ``by``.
        GraphError, GraphTypeError
            As for `plot` and `to_nodes`.
        MissingExtraError
            There are metadata, or ``by`` names a column, and pandas is not installed.
        """
        from boruvka.trees.plotting.page import write_page

        write_page(self, output, coordinates, system, sizes, colors, labels, metadata, weights, by)

    def plot(
        self,
        coordinates: Any = None,
        *,
        by: str | None = None,
        system: str | None = None,
        graph_edges: bool = False,
        sizes: ArrayLike | Mapping[Any, Any] | None = None,
        colors: ArrayLike | Mapping[Any, Any] | None = None,
        labels: ArrayLike | Mapping[Any, Any] | None = None,
        weights: bool | str = False,
        only: ArrayLike | None = None,
        axes: bool = False,
        ax: Axes | None = None,
    ) -> Axes:
        """Draw the edges and their vertices on a map.

        Vertices outside of the tree, as a Steiner tree leaves them out, are drawn with the ``graph_edges`` of
        a small graph only. Rings mark the terminals of a Steiner tree, the root of an arborescence, and
        places that are attached to streets, with ``colors`` those that have no value; crosses mark prizes
        that a prize-collecting tree leaves, and terminals that no path connects, or none with the root, where
        vertices have coordinates.
        Edges of streets have their shape, and crossings without values have no dot. Every color has a key. A
        million edges take about a second.

        Parameters
        ----------
        coordinates : (n, 2) array_like of numbers, mapping or frame, optional
            The coordinates of each vertex; or by name, as ``{"Brno": (16.6, 49.2)}`` or a frame. By default
            the points of `Graph.from_points`, of which the first two of three coordinates are drawn; other
            trees are laid out, also those of points of more coordinates, and a title says so. "weight" lays
            out a minimum forest so that edges are as long as their weights, and "log" as the logarithms of
            1 + weight, but at least a hundredth of the mean length. Dots with sizes are moved apart, so that
            edges that are shorter than their dots are wide become longer. An edge across
            the boundary of a periodic box, or across the longitude 360, is drawn at both sides, also where
            coordinates are those of the points in another unit, moved, and wrapped again.
            ``boruvka plot --coordinates`` reads them from a file.
        by : "weight", "component", "round" or str, optional
            The meaning of the colors of edges: the weight, heavier ones are darker, by quantiles if there are
            more than 8 different ones; the component; the round of Borůvka's algorithm that adds the edge
            (`Forest.edge_rounds`), later ones are darker and wider; or a column: ``load`` of a Steiner tree
            with a root, or one of the table or map that the graph was made from. Greater numbers of a column
            are darker and wider, other values are categories, and edges without a value are grey. By default
            the weight; edges have one color if there are ``colors`` of vertices, if all weights are equal, or
            if the tree is random.
        system : "xy", "lonlat", "latlon" or "radec", optional
            The meaning of the two columns of coordinates; by default x and y, or what the columns of a frame
            are called. Degrees are drawn with the aspect of the middle latitude. Right ascensions and
            galactic longitudes, by name or with "radec", grow to the left, as on maps of the sky.
        graph_edges : bool
            Whether to draw the other edges of the graph too, in grey, in the surroundings of the tree. A
            graph of up to 60 vertices and 180 edges is drawn and laid out whole, and parallel edges are arcs;
            of a larger one without coordinates, only edges between vertices of the tree are drawn.
        sizes : (n,) array_like of numbers, or mapping, optional
            Areas of the dots of vertices, as ratios, which legends add up; by default the numbers of profiles
            where these were collapsed. Sizes of the profiles of a vertex are added.
        colors : (n,) array_like, or mapping, optional
            Colors of the dots: numbers and dates by a scale, other values and labels of clusters by category;
            None, NaN and the label -1 are grey. Whole numbers of a series are categories, too, if it is
            called ST, ``cluster_7`` or otherwise as codes are, or if it has up to 10 different ones, each
            three times on average, and is not called year or otherwise as measures are. Up to 20 categories
            have colors, in the order of their names; of more, the 19 most frequent. A categorical
            column of pandas keeps the colors of its categories whichever rows there are, of many those of the
            first 19 by name. Values such as "#1f77b4" are their own colors, if all are of this kind. If
            profiles were collapsed, there may be a value for each profile: then a vertex is a pie.
        labels : bool, (n,) array_like, or mapping, optional
            Write the names of vertices, or these texts, where they fit, at large dots and at vertices with
            many edges first; by default the names of up to 60, unless edges are lines of a map. Different
            texts of the strains of a vertex are one, as "ICU; Ward 3".
        weights : bool or "correlation"
            Write the weights of edges, or the correlations that distances were made of: all of them if at
            most 30 edges are drawn, else where they fit beside names, and a line counts the others. Those
            that come first in the tree, light ones, are first; at coordinates, those of long edges.
        only : (n,) array_like of bool, list of vertices, or str, optional
            Draw only these vertices and the edges between them, such as a slab of a box or a cluster: a mask,
            or names of vertices, or numbers where they have none; or ranges of coordinates of points, as
            "z=0..10,y=5..", in degrees on a sphere. Colors and legends are of what is drawn. A warning tells
            of numbers that are probably positions of vertices whose names are other integers.
        axes : bool
            Draw axes with numbers around a map of coordinates, labelled as the columns of points are called.
        ax : matplotlib Axes, optional
            Axes for the drawing; by default the axes of a new figure, ``ax.figure``. Axes of a map projection
            such as Mollweide are for longitudes and latitudes.

        Returns
        -------
        matplotlib Axes
            Its first collection holds the edges of the forest, or its second if there are ``graph_edges``.
            The legend is beside the map in a figure of its own, and inside axes that are given.

        Notes
        -----
        Values of vertices with labels are taken by these: the keys of a mapping, the index of a series or
        frame of pandas, a column ``id``, ``vertex``, ``node`` or ``name`` of any frame. They are the names of
        vertices, or their numbers where these have no names. Rows of other names are left out, and a vertex
        without a row has no value; warnings count both, but not crossings of streets. If no label is known,
        or one is there twice, that is an error. Arrays, lists, and series whose index only numbers the rows
        are taken in the order of the vertices. If profiles were collapsed, there may be a value for each
        profile.

        Raises
        ------
        MissingExtraError
            matplotlib is not installed (the extra ``plot``); or ``by`` names a column, and pandas is not.
        OptionError
            There is no such ``by`` or ``system``; or ``coordinates`` are lengths for edges that are not a
            minimum forest, or have negative or infinite weights; or ``graph_edges`` is true for a graph that
            has no list of edges.
        GraphError, GraphTypeError
            The coordinates are not an array of n rows of two numbers, or lack one for the end of an edge; or
            values do not match the vertices.
        """
        from boruvka.trees.plotting.map import Map

        drawn = graph_edges, sizes, colors, labels, weights, only, axes, ax
        return Map(self, coordinates, by, system, *drawn).draw()

    def __repr__(self) -> str:
        values = ((name.removeprefix("n_"), getattr(self, name)) for name in self._in_repr)
        texts = (f"{name}={x.size if hasattr(x, 'shape') else x}" for name, x in values)
        return f"{type(self).__name__}({', '.join(texts)})"

    def _html_table(self, title: str, first: str, count: int, more: Iterable[tuple[str, str]] = ()) -> str:
        """Return a table for a notebook: a count, then edges, components and weight, then more rows."""
        from boruvka.runtime.html import fields_table, text

        rows = [
            (first, f"{count:,}"),
            ("edges", f"{len(self):,} of {self.graph.m:,}{' entries' * (self.graph.entry_count > 0)}"),
            ("components", f"{self.n_components:,}"),
            ("weight", text(self.weight)),
        ]
        return fields_table(title, [*rows, *more])
