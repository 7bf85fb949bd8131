"""Points and coordinates of vertices: columns of a table become an array, and every value is checked."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import FormatError, GraphError, OptionError, first_true, shown, shown_names, some_of, warn
from boruvka.formats.files import File, InputFile, file_name
from boruvka.formats.name_columns import as_integers
from boruvka.formats.table_columns import column_positions
from boruvka.formats.tables import MAPS, Table, open_table, read_text, table_format
from boruvka.formats.text.alignment import ENDINGS, is_alignment, read_alignment
from boruvka.formats.text.lines.string_columns import numbers_of
from boruvka.formats.text.lines.text import Text
from boruvka.graph import axis_names, distances, profiles
from boruvka.graph.columns import list_column, listed
from boruvka.graph.exact import inexact
from boruvka.graph.graph import DistanceGraph, Graph
from boruvka.graph.labels import ID_COLUMNS, INDEX, is_called_id, names_points
from boruvka.graph.names import strain_name
from boruvka.graph.points import validation
from boruvka.graph.points.point_pairs import is_on_sphere
from boruvka.graph.points.validation import sky_columns
from boruvka.runtime.arguments import argument, hint, is_command_running, one_of, passing
from boruvka.runtime.libraries import pl
from boruvka.runtime.output_files import name_without_compression

_LARGEST_ANGLES = {False: (math.pi / 2, 2 * math.pi), True: (90.0, 360.0)}
"""Largest latitude and longitude, in radians and in degrees."""
_ROUNDING = 1 + 1e-6
"""float32 rounds pi / 2 up."""
_FEW = 0.4
"""Share of the values of a column called as angles that may be out of range; of more, it holds none."""
_Columns = dict[int, NDArray[Any] | None]
"""The numbers of columns by their positions; None for a column without numbers."""
_REMOVE = "correct it, or remove the row"
_SKY = "dec", "ra"
_JOINED_NAMES = "names of strains"
"""The column of names in a table of several files, if the caller names that column."""


class Points(NamedTuple):
    """Points that were read from a file.

    Parameters
    ----------
    coordinates : (n, d) array of integers or floats
        The points, in the order of the file. Integers if all columns hold integers.
    columns : tuple of str
        The names of the columns that were taken; their positions, from 0, where the file names none.
    left_out : tuple of str
        Columns that are not taken, where the caller names no columns.
    names : (n,) array, optional
        The name of each point; integers if all are written as integers, without a first zero. Where points
        are left out and no column has names, the numbers of their rows, from 0.
    metric : str or callable
        The metric for which they were read, an argument of `boruvka.Graph.from_points`.
    unit : str, optional
        The unit of the coordinates of a map, empty if it is not known, or of a latitude and a longitude that
        are recognised by their names; None for another table.
    column_of_names : str, optional
        The column of the names, if it is recognised by its own name.
    box : float or sequence of float, optional
        The lengths of the periodic box.
    numbers : tuple of str
        All columns that hold numbers, except the names, in the order of the file; empty for a map.
    """

    coordinates: NDArray[Any]
    columns: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    names: NDArray[Any] | None = None
    metric: Any = "euclidean"
    unit: str | None = None
    column_of_names: str | None = None
    box: Any = None
    numbers: tuple[str, ...] = ()

    def scaled(self) -> Points:
        """Return the points with each coordinate divided by its standard deviation, unless that is 0.

        Numbers that may stand for missing ones are known before that only.
        """
        validation.warn_of_sentinels(self.coordinates, self.columns)
        spread = self.coordinates.std(axis=0, dtype=np.float64)
        columns = tuple(f"{name} (standard deviations)" for name in self.columns)
        return self._replace(coordinates=self.coordinates / np.where(spread > 0, spread, 1), columns=columns)


class Profiles(NamedTuple):
    """Allelic profiles that were read from a file: arguments of `boruvka.Graph.from_profiles`."""

    profiles: Any
    """A polars frame of all columns except the column of names; an array for aligned sequences."""
    loci: list[str] | None
    """The columns that the caller names as loci."""
    names: NDArray[Any] | None
    """The name of each strain, if the caller names their column."""
    table: Table | None = None
    """The table of the file, for errors about rows; None for aligned sequences."""


class Coordinates(NamedTuple):
    """Coordinates of vertices that were read from a file.

    Parameters
    ----------
    points : (k, 2) array of float64
        x and y, or longitude and latitude.
    vertices : (k,) array, optional
        The number or the name of the vertex of each row; None if there is a row for each vertex.
    system : "xy" or "lonlat", optional
        The meaning of the columns, if their names show it.
    column : str
        The column of the vertices.
    """

    points: NDArray[np.float64]
    vertices: NDArray[Any] | None
    system: str | None
    column: str = ""


def read_points(
    path: File,
    *,
    format: str | None = None,
    columns: Sequence[str | int] | None = None,
    header: bool | None = None,
    metric: str | None = None,
    degrees: bool = False,
    id: str | int | None = None,
    layer: str | None = None,
    missing: str = "error",
    box: float | Sequence[float] | None = None,
    wrap: bool = False,
    null_value: float | None = None,
) -> Points:
    """Read points from a file: a row is a point, and columns are coordinates; or the points of a map.

    Parameters
    ----------
    path : path-like or binary file
        The file: csv, tsv, text between blanks, Parquet, Arrow (Feather), npy or npz; gzip, Zstandard, bzip2
        and xz data is decompressed. A column of Parquet and Arrow may hold lists of one length, such as
        embeddings. The arrays of an npz are its columns; a single one is taken as in npy. PLY, and XYZ of
        chemistry (a count, a comment, lines of an element and its place), have the columns x, y and z. Or a
        map: GeoJSON, GeoPackage or a Shapefile, whose points are read without their heights; other geometries
        are left out.
    format : str, optional
        The name of the format; by default the ending or the content of the file decides.
    columns : sequence of str or int, optional
        The columns of coordinates: names, or positions from 0. By default those called x and y, and z, or
        else all that hold numbers.
    header : bool, optional
        Whether the first line of a text names the columns; by default it does if no field of it is a number.
    metric : str, optional
        The metric: "great_circle" and "haversine" take latitude and longitude, whose range is checked. By
        default "great_circle" with ``degrees``, for a map whose coordinates are geographic, and for columns
        that are called latitude (lat) and longitude (lon, lng, long), also in German, Italian or Spanish, and
        hold degrees, in any order; other columns are left out then. So they are for declination (dec) and
        right ascension (ra), whose default is "haversine". Else "euclidean".
        `boruvka.graph.axis_names.axis_of` knows these names with units.
    degrees : bool
        Latitude and longitude are in degrees, which become radians. Those of a map always do, and columns of
        right ascension and declination with texts such as 10:45:03.6 or -59 41 04, hours and degrees.
    id : str or int, optional
        The column that holds the names of points: its name, or its position. By default, the first column
        of a table has them if it is called id, vertex, node, name or recno, as customer_id, or as those of
        catalogues (objid, haloid, targetid, designation, hip), or has no name, its values differ, and it is
        not one of ``columns``. A map has them in a column called name or id, or else in the first column of
        texts, if its values are unique.
    layer : str, optional
        The layer of a map, if it has several with points.
    missing : str
        The rule for points with a coordinate that is missing: "error", or "drop" to leave them out.
    box : float or sequence of float, optional
        Lengths of a periodic box, in which points are checked to lie.
    wrap : bool
        Whether coordinates less than a length outside of the box stand for their images inside.
    null_value : float, optional
        A number that stands for a missing coordinate, such as -999: these points are left out, as with
        ``missing="drop"``. A warning tells if no coordinate is this number.

    Returns
    -------
    Points

    Raises
    ------
    FormatError
        No format has the ending, the file is malformed, or a value is missing, not a number, infinite or out
        of range; the message names file, line (or row, from 0) and column.
    FileError
        The file cannot be read, or does not fit into memory.
    OptionError
        There is no such format or column, the format holds no table, or the content of a file object shows no
        format.
    MissingExtraError
        pyarrow, which reads Arrow, or polars, which reads Parquet and Arrow, is not installed.

    Warns
    -----
    GraphWarning
        Points are left out or wrapped; or declination and right ascension may not be in degrees, or are not
        alone; or the name of a column has another unit than its values are taken in.
    """
    source, drops = InputFile(path), one_of("missing", missing, ("error", "drop")) == "drop"
    drops |= null_value is not None

    def read() -> Points:
        is_map = table_format(source, format) in MAPS
        name, value, kind = ("columns", columns, "tables") if is_map else ("layer", layer, "maps")
        if value is not None:
            raise OptionError(f"{argument(name, value)} is for {kind}: leave it out")
        if is_map:
            return _points_of_map(source, metric, id, layer)._replace(box=box)
        table = open_table(source, format, header)
        if columns is None and table.is_named and axis_names.has_parts(table.names):
            try:
                joined = axis_names.with_joined_angles(dict(zip(table.names, table.columns, strict=True)))
            except GraphError as error:
                raise source.error(str(error)) from None
            table = table._replace(names=[*joined], columns=[*joined.values()])
        wanted, of_names = _positions(table, columns, id)
        recognised = None
        if id is None and 0 not in (wanted or ()) and _begins_with_names(table):
            of_names, recognised = 0, table.names[0]
        elif id is None and table.index_names() is not None:
            of_names, recognised = table.names.index(table.of_index[0]), table.of_index[0].replace(INDEX, "")
        others = [i for i, name in enumerate(table.names) if i != of_names and name not in table.of_index]
        places = others if wanted is None else wanted
        numbers = {i: _numbers(table.columns[i], null_value) for i in places}
        has_degrees = _read_texts_of_angles(table, numbers) or degrees
        chosen = {i: x for i, x in numbers.items() if wanted is not None or x is not None}
        known_metric, unit, is_degrees = default if metric is None else metric, None, has_degrees
        are_angles = has_degrees or (None if metric is None else is_on_sphere(metric))
        found = _degrees(source, table, numbers, wanted is None, are_angles)
        if found and metric is None and not has_degrees:
            known_metric, unit, is_degrees = "great_circle", "degree", True
        if found and (unit or are_angles):
            chosen = found
        elif wanted is None:
            own = [*chosen]
            in_space = axis_names.space_columns(table.names[i] for i in own)
            chosen = {own[k]: chosen[own[k]] for k in in_space} or chosen
        taken = tuple(table.names[i] for i in chosen)
        axes = tuple(axis_names.axes_of(taken, bool(are_angles)))
        if found and metric is None and {*axes} == {*_SKY}:
            known_metric, unit = "haversine", "degree"  # not kilometres on the earth
        coordinates = _joined(source, table, chosen, drops)
        if is_on_sphere(known_metric):
            passed = hint("pass {degrees} if in degrees", degrees=True)
            radians = hint("pass {metric} and {columns} if in radians", metric=known_metric, columns=taken)
            is_likely = metric is None and axes == _SKY and not has_degrees
            validation.warn_of_unit(taken, coordinates if is_likely else None, is_degrees, passed, radians)
            if wanted is None and table.is_named and not found:
                validation.warn_of_order(taken)
        elif metric is None and (sky := sky_columns(dict(zip(taken, coordinates.T, strict=False)))):
            meant = "great_circle" if "lon" in axis_names.axes_of(sky, True) else "haversine"
            how = {"metric": meant, "columns": tuple(sky), "degrees": True}
            passed = hint(": pass {metric}, {columns} and {degrees} if these are degrees", **how)
            warn(f"{sky[1]} and {sky[0]} count as x and y of a flat space{passed}")
        pair = [axes.index(x) for own in (_SKY, ("lat", "lon")) if {*own} <= {*axes} for x in own]
        is_plane = pair and not is_on_sphere(known_metric)
        if is_plane and (validation.is_torn(coordinates[:, pair[1]]) if metric else len(axes) > 2):
            both = " and ".join(taken[i] for i in sorted(pair))
            more = ", ".join(np.delete(taken, pair)) or argument("metric", metric)
            advice = validation.advice_on_plane(taken[pair[0]], taken[pair[1]], coordinates[:, pair[1]])
            warn(f"{both} count as x and y of a flat space: {advice}, or leave out {more} for a sphere")
        if box is not None:
            coordinates = _in_box(table, taken, coordinates, box, wrap)
        if is_on_sphere(known_metric):
            coordinates = _radians(source, table, taken, coordinates, known_metric, is_degrees)
        left_out = tuple(table.names[i] for i in numbers if i not in chosen)
        names = _names(table, of_names)
        if names is not None:
            ids = as_integers(np.array(list(map(str, names.tolist())), object))
            names = names if ids is None else ids  # texts such as 017 stay
        if drops and (gaps := np.isnan(coordinates).any(axis=1)).any():
            numbered = "" if names is not None else "; the others keep the numbers of their rows, from 0"
            warn(f"{_rows_with_gaps(gaps)}, and are left out{numbered}")
            coordinates, names = coordinates[~gaps], (np.arange(gaps.size) if names is None else names)[~gaps]
        columns_taken = (_numbers(table.columns[i]) for i in chosen)  # None of texts
        if null_value is not None and not any(np.any(x == null_value) for x in columns_taken):
            warn(f"{argument('null_value')}: no coordinate is {null_value:.15g}, in {shown_names(taken)}")
        every = tuple(table.names[i] for i, x in numbers.items() if x is not None)
        return Points(coordinates, taken, left_out, names, known_metric, unit, recognised, box, every)

    default = "great_circle" if degrees else "euclidean"
    return source.attempt(read)


def _points_of_map(source: InputFile, metric: str | None, id: str | int | None, layer: str | None) -> Points:
    """Read the points of a map, as `boruvka.Graph.from_points` reads them of a frame."""
    from boruvka.formats.libraries.map_layers import read_places

    places = read_places(source, layer)
    points, known_metric = places.for_metric(metric)
    names, frame = places.names(), places.frame
    if id is not None:
        (position,) = column_positions([id], frame.shape[1], list(map(str, frame.columns)))
        names = frame.iloc[:, position].tolist()
    columns = ("longitude", "latitude") if places.system == "lonlat" else ("x", "y")
    unit = "" if frame.crs is None else frame.crs.axis_info[0].unit_name
    return Points(points, columns, (), None if names is None else _name_array(names), known_metric, unit)


def read_profiles(
    path: File,
    *,
    format: str | None = None,
    columns: Sequence[str | int] | None = None,
    header: bool | None = None,
    id: str | int | None = None,
) -> Profiles:
    """Read allelic profiles from a file: a row is a strain, and columns are loci.

    Aligned sequences (FASTA, or PHYLIP with sequences, by their content, or ``format="fasta"``) are profiles,
    too: each site is a locus. Case does not matter; "-", "?", ".", X, and nucleotides
    other than A, C, G, T and U, such as N and R, are no allele.

    Parameters
    ----------
    path, format, header, id
        As for `read_points`.
    columns : sequence of str or int, optional
        The columns of loci: names, positions from 0, or names and patterns such as "KP1_*"; by default
        `boruvka.Graph.from_profiles` chooses them.

    Returns
    -------
    Profiles

    Raises
    ------
    FormatError, FileError, OptionError, MissingExtraError
        As for `read_points`, or sequences are not aligned.
    """
    source = InputFile(path)
    name = name_without_compression(source.path).lower()

    def read() -> Profiles:
        if format == "fasta" or (format is None and (name.endswith(ENDINGS) or is_alignment(source))):
            for option, value in (("columns", columns), ("header", header), ("id", id)):
                if value is not None:
                    raise OptionError(f"an alignment has no columns: leave out {argument(option, value)}")
            sequences, names = read_alignment(source)
            return Profiles(sequences, None, np.array(names, object))
        columns_found = columns
        is_profile = name.endswith((".profile", ".profiles"))
        known = "tsv" if format is None and is_profile else format  # as GrapeTree names them
        # A header often begins with "#"; an allele such as "1,2" is no number.
        table = open_table(source, known, header, comments=b"", are_numbers=False)
        if columns is not None and any("*" in str(column) for column in columns) and table.is_named:
            columns_found = profiles.named_columns("columns", table.names, columns)
        loci, of_names = _positions(table, columns_found, id)
        kept = [i for i in range(len(table.columns)) if i != of_names or i in (loci or ())]
        kept.sort(key=lambda i: table.names[i] not in table.of_index)  # which comes first in a text
        if table.names[-1] == "" and not any(list_column(table.columns[-1])):  # tabs at the ends of lines
            kept.remove(len(table.columns) - 1)
        k = 0 if table.names[0] else -1
        first, cells = table.names[k], list(map(str, list_column(table.columns[k])))
        if table.is_named and first.strip("0123456789") and first in cells:  # files were joined by cat
            remedy = "leave the line out, if its columns are in the same order"
            raise table.error(cells.index(first), f"{shown(first)} is the header of its column: {remedy}")
        if twice := [table.names[i] for i in kept if table.names.count(table.names[i]) > 1]:
            raise source.error(f"the column {twice[0]!r} is there twice: rename one, or leave it out")
        frame = pl.DataFrame({table.names[i]: table.columns[i] for i in kept})
        of_loci = None if loci is None else [table.names[i] for i in loci]
        return Profiles(frame, of_loci, _names(table, of_names), table)

    return source.attempt(read)


def read_profile_graph(
    path: File | list[File] | tuple[File, ...], *, id: str | int | None = None, **rules: Any
) -> DistanceGraph:
    """Read allelic profiles or aligned sequences, and make their graph.

    Parameters
    ----------
    path : path-like or binary file, or sequence of them
        Profiles of several files are joined by the names of their loci.
    id
        As for `read_profiles`.
    **rules
        Other arguments of `read_profiles`, and of `boruvka.Graph.from_profiles`.

    Returns
    -------
    DistanceGraph
    """
    of_table = {name: rules.pop(name, None) for name in ("format", "columns", "header")}
    paths = path if isinstance(path, list | tuple) else [path]
    each = [read_profiles(file, id=id, **of_table) for file in paths]
    several = {x: rules.get(x, ()) for x in ("drop", "no_allele")}
    rules |= {x: [y] if isinstance(y, str) else listed(x, y) for x, y in several.items()}
    with passing(loci="columns" if is_command_running() else "loci", **{name: name for name in rules}):
        found = _joined_profiles(list(map(file_name, paths)), each, rules) if len(each) > 1 else each[0]
        try:
            return Graph.from_profiles(found.profiles, names=found.names, loci=found.loci, **rules)
        except GraphError as error:
            if found.table is None or error.same_name is None:
                raise
            raise found.table.same_name(*error.same_name) from None


def _joined_profiles(files: list[str], each: list[Profiles], rules: dict[str, Any]) -> Profiles:
    """Join the profiles of several files by the names of columns; equal rows of a strain count once."""
    frames = list[Any]()
    for file, found in zip(files, each, strict=True):
        if found.table is None or not found.table.is_named:
            way = "this has none: aligned sequences are joined by cat"
            raise FormatError(f"{file}: several files are joined by the names of loci, and {way}")
        frame = found.profiles
        if found.names is None:
            frame = profiles.with_rows_of_strains(frame)
        else:
            frame = frame.insert_column(0, pl.Series(_JOINED_NAMES, found.names.tolist()))
        (first, *loci), (known, *others) = frame.columns, (frames or [frame])[0].columns
        if first != known or frame[first].is_duplicated().any():
            kind = f"{known!r} in {files[0]}" if first != known else "has a value twice"
            way = "in several files, it must hold the names of strains, under one name"
            raise FormatError(f"{file}: the first column is {first!r}, and {kind}: {way}")
        if {*loci}.isdisjoint(others):
            raise FormatError(f"{file}: no locus is called as in {files[0]}")
        frames.append(frame)
    joined = _strains_once(files, frames, pl.concat(frames, how="diagonal_relaxed"), rules)
    for file, frame in zip(files, frames, strict=True):
        if absent := [shown(name) for name in joined.columns if name not in frame.columns]:
            warn(f"{file} lacks columns of the other files: its strains have no allele at {some_of(absent)}")
    name = joined.columns[0]
    loci = list(dict.fromkeys(locus for found in each for locus in found.loci or ()))
    names = None if each[0].names is None else joined.drop_in_place(name).to_numpy()
    return Profiles(joined, loci or None, names)


def _strains_once(files: list[str], frames: list[Any], joined: Any, rules: dict[str, Any]) -> Any:
    """Leave out equal rows of a strain, whose name may be ``A12`` in one file and ``A12.fasta`` in another.

    Alleles are compared as `boruvka.Graph.from_profiles` reads them. If the rules drop a strain, the first of
    its rows is kept.
    """
    name, *loci = joined.columns
    known = {*joined[name]}
    strains = pl.Series(name, [x if x in known else own for own in joined[name] for x in [strain_name(own)]])
    rows = np.flatnonzero(strains.is_duplicated())
    again, names = joined[rows], joined[name][rows]
    plain = again.with_columns(pl.col(pl.String).str.replace(profiles.NEW_ALLELE.pattern, ""))
    groups = pl.Series("group", profiles.groups_of_equal(plain, loci, rules["no_allele"]))
    is_first = pl.DataFrame([strains[rows], groups]).to_struct("both").is_first_distinct()
    if not is_first.all():
        twice = some_of(list(map(shown, names.filter(~is_first))))
        warn(f"strains that several files have, with equal values, count once: {twice}")
    names, dropped = names.filter(is_first), {*map(str, rules["drop"])}
    for strain in names.filter(names.is_duplicated()):
        if str(strain) not in dropped:
            where = zip(files, frames, strict=True)
            in_files = " and ".join(file for file, frame in where if strain in frame[name])
            own = again.filter(again[name] == strain)
            differ = some_of([shown(x) for x in loci if len({*map(profiles.allele, own[x])}) > 1])
            problem = f"{shown(strain)} is in {in_files}, with other values of {differ}: keep one row of it"
            raise FormatError(problem + hint(", or leave it out with {drop}", drop=strain))
    kept = np.setdiff1d(np.arange(len(joined)), rows[~is_first.to_numpy()])
    return joined[kept].unique(name, keep="first", maintain_order=True)


def read_coordinates(
    path: File, *, one_based: bool | None = False, in_degrees: bool = False, drops: bool | None = None
) -> Coordinates:
    """Read the coordinates of vertices from a file.

    Parameters
    ----------
    path : path-like
        DIMACS ``.co`` (``v id x y``, ids from 1); a table, as for `read_points`, with the columns id (or
        vertex, node, name, or a first column of texts), x (lon, longitude) and y (lat, latitude); or an array
        with two columns. Without ids there is a row for each vertex.
    one_based : bool or None
        Whether ids of a table begin at 1; None if ids are names, also in DIMACS ``.co``. If a zero comes
        first in one of them, as in 017, they are texts.
    in_degrees : bool
        Whether lon and lat are taken where there are x and y, too.
    drops : bool or None
        Whether a coordinate that is missing is NaN, or an error that names the option; None without option.

    Returns
    -------
    Coordinates

    Raises
    ------
    FormatError, FileError, OptionError, MissingExtraError
        As for `read_points`, or the file has not these columns.
    """
    source = InputFile(path)

    def read() -> Coordinates:
        is_dimacs = name_without_compression(source.path).endswith(".co")
        table = _dimacs_table(source) if is_dimacs else open_table(source)
        lower, axes = [name.lower() for name in table.names], axis_names.axes_of(table.names, None)
        own = axis_names.X_COLUMNS, axis_names.Y_COLUMNS
        of_axes = ((axes, names[in_degrees:] + names[:in_degrees]) for names in own)
        known = (lower, ID_COLUMNS), *of_axes
        ids, x, y = (next((have.index(n) for n in names if n in have), -1) for have, names in known)
        if not table.is_named and len(table.columns) == 2:
            x, y = 0, 1
        if min(x, y) < 0:
            raise source.error(
                f"expected the columns id, x and y (or lon and lat), found {', '.join(table.names)[:200]}"
            )
        numbers = {i: _numbers(table.columns[i]) for i in (x, y)}
        points = _joined(source, table, numbers, drops).astype(np.float64)
        system = ("xy" if axes[x] == "x" else "lonlat") if table.is_named and not is_dimacs else None
        if ids < 0 and table.index_names() is not None:
            ids = table.names.index(table.of_index[0])
        if ids < 0 and 0 not in (x, y) and _numbers(table.columns[0]) is None:
            ids = 0  # texts before the coordinates are names, whatever their column is called
        if ids < 0:
            return Coordinates(points, None, system)
        vertices = _numbers(table.columns[ids])
        has_codes = one_based is None and any(re.match(r"\s*0\d", str(x)) for x in table.columns[ids])  # 017
        if vertices is None or vertices.dtype.kind == "f" or has_codes:  # names
            return Coordinates(points, _name_array(table.columns[ids]), system, table.names[ids])
        first_id = 0 if one_based is None else int(one_based or is_dimacs)
        if (row := first_true(vertices < first_id)) is not None:
            raise table.error(row, f"the id {vertices[row]} is not a vertex: expected ids from 1")
        return Coordinates(points, vertices - vertices.dtype.type(first_id), system, table.names[ids])

    return source.attempt(read)


def _positions(
    table: Table, columns: Sequence[str | int] | None, id: str | int | None
) -> tuple[list[int] | None, int]:
    """Return the positions of the columns that the caller names, and of the column of names, else -1."""
    size, known = len(table.columns), table.names if table.is_named else None
    (of_names,) = (-1,) if id is None else column_positions([id], size, known)
    return None if columns is None else column_positions(columns, size, known), of_names


def _begins_with_names(table: Table) -> bool:
    """Return whether the first column is called as one of names, and another has numbers or angles."""
    if not table.is_named or not is_called_id(table.names[0]):
        return False
    first, *others = table.columns
    numbers = _numbers(first)
    values = (_name_array(first) if numbers is None or numbers.dtype.kind != "f" else numbers).tolist()
    is_sky = any(axis_names.angle_columns(table.names[1:], [False] * len(others)))
    return (is_sky or any(_numbers(x) is not None for x in others)) and names_points(table.names[0], values)


def _degrees(
    source: InputFile, table: Table, numbers: _Columns, may_leave_out: bool, are_angles: bool | None
) -> _Columns:
    """Return the columns of latitude and longitude, if a table has them, by their names and values.

    Coordinates are angles, or None if it is not known.

    Values that are out of range do not change the metric: they become an error, unless most are, and are too
    large for any angle, as in metres. So do texts, such as the degrees, minutes and seconds of a catalogue,
    and several columns, if they are wanted.
    """
    places, own = list(numbers), [table.names[i] for i in numbers]
    at = axis_names.angle_columns(own, [x is not None for x in numbers.values()], bool(are_angles))
    if not (at and (may_leave_out or len(numbers) == 2)):
        return {}
    called = [[places[k] for k in each] for each in at]
    is_sky = axis_names.axes_of(own, bool(are_angles))[at[0][0]] == "dec"
    if max(map(len, called)) > 1:
        if are_angles is False:
            return {}
        several = shown_names([table.names[i] for own in called for i in own])
        first = tuple(table.names[own[0]] for own in called)
        passed = hint(": name two of them, as {columns}", columns=first)
        raise source.error(f"several columns may be a latitude or a longitude, {several}{passed}")
    found: _Columns = {}
    for (i,), limit in zip(called, _LARGEST_ANGLES[True], strict=True):
        if (values := numbers[i]) is None:
            if _first_text(table.columns[i]):
                raise _not_numbers(source, table, i)
            return {}
        count, angles = np.count_nonzero(np.abs(values) > limit), np.abs(values) <= _LARGEST_ANGLES[True][1]
        if values.ndim == 1 and (is_sky or count <= _FEW * values.size or angles.all()):
            found[i] = values
    return found if len(found) == 2 else {}


def _read_texts_of_angles(table: Table, numbers: _Columns) -> bool:
    """Read texts of declination and right ascension as degrees, unless both have columns of numbers.

    Return whether there are some.
    """
    texts = [i for i, x in numbers.items() if x is None]
    if {*_SKY} <= {axis_names.axis_of(table.names[i]) for i in numbers if i not in texts}:
        return False
    numbers.update({i: axis_names.degrees_of(table.names[i], table.columns[i]) for i in texts})
    return any(numbers[i] is not None for i in texts)


def _in_box(
    table: Table, names: tuple[str, ...], coordinates: NDArray[Any], box: Any, wraps: bool
) -> NDArray[Any]:
    """Return coordinates in a periodic box, where those less than a length outside of it may be wrapped."""
    lengths = validation.read_box(box, coordinates.shape[1], distances.euclidean)
    if lengths is None:
        return coordinates
    given, extents = coordinates, np.zeros(lengths.size)
    if wraps and coordinates.size:
        extents = np.fmax.reduce(coordinates) - np.fmin.reduce(coordinates)
        is_near = np.isfinite(lengths) & (coordinates >= -lengths) & (coordinates <= 2 * lengths)
        coordinates = np.where(is_near, coordinates % lengths, coordinates)
    advice = f"{argument('wrap', True)} takes the nearest image of such points"
    if (found := validation.outside_of_box(coordinates, lengths, advice)) is not None:
        row, k, what = found
        column = f" in column {names[k]!r}" if len(names) == lengths.size else ""
        raise table.error(row, f"{coordinates[row, k]}{column} {what}")
    if (axis := first_true(extents > 1.1 * lengths)) is not None:  # more than drift at both sides
        row, what = int(np.nanargmax(given[:, axis])), f"points extend over {extents[axis]:g} on axis {axis}"
        raise table.error(row, f"{what}, the periodic box over {lengths[axis]:g}: correct {argument('box')}")
    is_outside = np.isfinite(lengths) & ((given < 0) | (given > lengths))
    if moved := np.count_nonzero(is_outside.any(axis=1)):
        warn(f"{moved:,} of {len(given):,} points are outside of the periodic box, and are wrapped")
    return coordinates


def _names(table: Table, position: int) -> NDArray[Any] | None:
    return None if position < 0 else _name_array(table.columns[position])


def _name_array(column: Any) -> NDArray[Any]:
    array = np.array(column, object) if isinstance(column, list) else np.asarray(column)
    return array if array.dtype.kind != "M" else np.array(column.to_list(), object)


def _dimacs_table(source: InputFile) -> Table:
    table = read_text(source, " ", header=False, comments=b"cp")
    if len(table.columns) != 4 or (wrong := np.asarray(table.columns[0]) != "v").any():
        row = 0 if len(table.columns) != 4 else int(np.argmax(wrong))
        raise table.error(row, "expected lines 'v id x y'")
    return table._replace(names=["v", "id", "x", "y"], is_named=True)


def _numbers(column: Any, null_value: float | None = None) -> NDArray[Any] | None:
    """Convert a column to numbers, NaN where a value is none; None if it holds no numbers."""
    if null_value is not None and (found := _numbers(column)) is not None:
        return np.where(found == null_value, np.nan, found) if (found == null_value).any() else found
    if isinstance(column, np.ndarray):
        return column if column.dtype.kind in "iuf" and column.dtype.itemsize <= 8 else None
    if isinstance(column, list) or column.dtype == pl.String:
        return numbers_of(column)
    scalar = getattr(column.dtype, "inner", column.dtype)
    if not scalar.is_numeric():
        return None
    if isinstance(column.dtype, pl.List):
        lengths = column.list.len().drop_nulls()
        if lengths.n_unique() != 1 or not lengths[0]:
            return None
        column = column.list.to_array(int(lengths[0]))
    if scalar.is_decimal() or scalar in (pl.Int128, pl.UInt128):
        shape = getattr(column.dtype, "shape", None)
        column = column.cast(pl.Float64 if shape is None else pl.Array(pl.Float64, shape))
    return column.to_numpy()


def _joined(
    source: InputFile, table: Table, chosen: _Columns, may_have_gaps: bool | None = None
) -> NDArray[Any]:
    """Join the numbers of the chosen columns, after a check of every value; None offers no choice."""
    if not chosen:
        raise source.error(f"there is no column of numbers; the columns are {', '.join(table.names)[:200]}")
    columns = []
    for i, numbers in chosen.items():
        if numbers is None:
            raise _not_numbers(source, table, i)
        _check_finite(table, i, numbers, chosen, may_have_gaps)
        columns.append((table.names[i], numbers))
    if len({len(numbers) for _, numbers in columns}) > 1:
        lengths = ", ".join(f"{name} {len(numbers)}" for name, numbers in columns)
        passed = hint("; name those of the points, as {columns}", columns=(columns[0][0],))
        raise source.error(f"the columns have different lengths: {lengths}{passed}")
    joined = np.column_stack([numbers for _, numbers in columns])
    for name, numbers in columns if joined.dtype.kind == "f" else ():
        if numbers.dtype.kind in "iu" and (rounded := inexact(numbers, np.dtype(float))) is not None:
            passed = hint(", or if these are names of points pass {id}", id=name)
            problem = f"{numbers[rounded][0]} in column {name!r}: {validation.ROUNDED}{passed}"
            raise table.error(int(np.argwhere(rounded)[0][0]), problem)
    return joined


def _first_text(column: Any) -> str:
    return next((x for x in column if isinstance(x, str) and x.strip()), "")


def _not_numbers(source: InputFile, table: Table, i: int) -> FormatError:
    column = table.columns[i]
    if axis_names.axis_of(table.names[i]) in axis_names.ANGLES and (text := _first_text(column)):
        return source.error(f"column {table.names[i]!r} has texts, {text[:40]!r}: {axis_names.TO_DEGREES}")
    others = [k for k, other in enumerate(table.columns) if _numbers(other) is not None]
    names = tuple(table.names[k] if table.is_named else k for k in others)
    passed = hint("; pass columns of numbers, as {columns}", columns=names) if names else ""
    value = "" if isinstance(column, np.ndarray) or not len(column) else f" such as {str(column[0])[:40]!r}"
    kind = f"{'String' if isinstance(column, list) else str(column.dtype)[:40]}{value}"
    return source.error(f"column {table.names[i]!r} holds {kind}, not numbers or lists of one length{passed}")


def _check_finite(
    table: Table, i: int, numbers: NDArray[Any], chosen: _Columns, may_have_gaps: bool | None
) -> None:
    """Raise an error about the first value of a column that is missing, not a number or infinite."""
    if np.isfinite(numbers).all():
        return
    is_angle = axis_names.axis_of(table.names[i]) in axis_names.ANGLES
    for k in np.flatnonzero(np.isnan(numbers)).tolist() if is_angle and numbers.ndim == 1 else ():
        if axis_names.SEXAGESIMAL.fullmatch(text := str(table.columns[i][k]).strip()):
            raise table.error(k, f"{text!r} is beside decimals in column {table.names[i]!r}: {_REMOVE}")
    finite = (np.isfinite(numbers) | (bool(may_have_gaps) & np.isnan(numbers))).reshape(len(numbers), -1)
    if (row := first_true(~finite.all(axis=1))) is None:
        return
    value = table.columns[i][row]
    if hasattr(value, "__len__") and not isinstance(value, str):  # a list of coordinates
        value = value[int(np.argmin(finite[row]))]
    value = value.strip() if isinstance(value, str) else value
    is_missing = value is None or value == ""
    what = "there is no value" if is_missing else f"{str(value)[:40]!r} is not a finite number"
    if isinstance(value, str) and value.lstrip("+-").isdecimal():
        column = f"column {table.names[i]!r}"
        remedy = "write integers of at most 64 bits in all rows, or fewer digits"
        raise table.error(row, f"float64 would round {value[:40]} in {column}: {remedy}")
    if isinstance(value, str) and Text.is_decimal_comma(value):
        raise table.error(row, f"{what}: replace the decimal comma by a point")
    gaps = [np.isnan(x).reshape(len(x), -1).any(axis=1) for x in chosen.values() if x is not None]
    remedy = _REMOVE
    if may_have_gaps is False and np.isnan(numbers[row]).any() and len({gap.size for gap in gaps}) == 1:
        passed = hint(", or pass {missing} to leave such points out", missing="drop")
        if not is_missing and 2 * np.isnan(numbers).sum() > len(numbers):
            passed = hint(", or pass {id} if the column holds names", id=table.names[i])
        remedy = f"{_rows_with_gaps(np.logical_or.reduce(gaps))}: {_REMOVE}{passed}"
    raise table.error(row, f"{what} in column {table.names[i]!r}: {remedy}")


def _rows_with_gaps(gaps: NDArray[np.bool_]) -> str:
    return f"{np.count_nonzero(gaps):,} of {gaps.size:,} points lack a coordinate"


def _radians(
    source: InputFile, table: Table, names: Sequence[str], points: NDArray[Any], metric: str, is_degrees: bool
) -> NDArray[np.float64]:
    """Check latitudes and longitudes, and convert them to radians."""
    advice = f": {_REMOVE}" if is_degrees else hint("; for degrees pass {degrees}", degrees=True)
    if points.shape[1] != 2:
        passed = hint(": name them, as {columns}", columns=("lat", "lon"))
        passed += "" if is_degrees else advice
        raise source.error(
            f"{metric} needs two columns, latitude and longitude{passed}; these are {', '.join(names)[:200]}"
        )
    if axis_names.axis_of(names[0]) in axis_names.X_COLUMNS[1:]:
        passed = hint(": pass {columns}", columns=(names[1], names[0]))
        raise source.error(f"{metric} needs the latitude first, then the longitude{passed}")
    unit = "degrees" if is_degrees else "radians"
    for values, kind, limit in zip(
        points.T, ("latitude", "longitude"), _LARGEST_ANGLES[is_degrees], strict=True
    ):
        if (row := first_true(np.abs(values) > limit * _ROUNDING)) is not None:
            range_ = f"from -{limit:.4g} to {limit:.4g}"
            if is_degrees and {*f"{abs(values[row]):g}"} == {"9"}:
                passed = ", or pass {null_value} if it stands for a missing one"
                advice += hint(passed, null_value=int(values[row]))
            elif is_degrees and np.count_nonzero(np.abs(values) > limit) > _FEW * values.size:
                passed = hint("pass {metric} for a plane", metric="euclidean")
                advice = f": are {names[0]} and {names[1]} exchanged, or no degrees? Else {passed}"
            raise table.error(row, f"{values[row]:g} is not a {kind} in {unit}, {range_}{advice}")
    validation.warn_of_sentinels(points, names)
    angles = points.astype(np.float64, copy=False)
    return np.radians(angles) if is_degrees else angles
