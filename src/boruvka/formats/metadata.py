"""Metadata in files: tables about vertices, with a row for each, in any order."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from boruvka.errors import FormatError, OptionError, shown, warn
from boruvka.formats.files import File, InputFile
from boruvka.formats.table_columns import column_positions
from boruvka.formats.tables import MAPS, Table, open_table, table_format
from boruvka.graph.columns import list_column
from boruvka.graph.labels import ID_COLUMNS, INDEX, columns_with_names
from boruvka.graph.names import strain_key, strain_keys
from boruvka.runtime.arguments import argument
from boruvka.runtime.libraries import reading_errors


class Metadata(NamedTuple):
    """A table about vertices.

    Attributes
    ----------
    id : str
        The name of the column of names.
    names : list of str
        The name or the number of the vertex of each row, as in the file.
    columns : dict of str to lists
        The other columns: texts as they are in the file, or values of a binary file; None where a field is
        empty.
    is_recognised : bool
        Whether the column of names is called as one, or as the caller says.
    """

    id: str
    names: list[str]
    columns: dict[str, Any]
    is_recognised: bool = True


def read_metadata(
    path: File, id_column: str | None = None, vertices: Collection[str] = (), metadata_id: str | None = None
) -> Metadata:
    """Read a table about vertices.

    Parameters
    ----------
    path : path-like or binary file
        A table, as for `boruvka.formats.points.read_points`, whose first line names the columns, or a map of
        places; ``FILE:LAYER`` is a layer of a map.
    id_column : str, optional
        A name that the column of names may have, besides id, vertex, node, name and recno. Such a column
        holds the names unless another one, in which no value is there twice, has more than twice as many
        vertices, or more than a column that has a value twice.
    vertices : collection of str
        The names of the vertices, or their numbers.
    metadata_id : str, optional
        The column of names.

    Returns
    -------
    Metadata

    Raises
    ------
    FormatError, FileError, OptionError, MissingExtraError
        As for `read_points`; or the columns have no names, the same name, or different lengths; or two rows
        differ for a vertex; or there is no column ``metadata_id``, or several may hold the names.

    Warns
    -----
    GraphWarning
        Rows are the same in all columns, and count once.
    """
    source = InputFile(path)

    def read() -> Metadata:
        table = _open(source)
        if not table.is_named:
            raise source.error(
                "expected a line that names the columns, as id,country, and a line for each vertex"
            )
        if twice := [name for name in table.names if table.names.count(name) > 1]:
            raise source.error(f"the column {twice[0]!r} is there twice")
        if len({*map(len, table.columns)}) > 1:
            raise source.error("the columns have different lengths")
        lower = [name.lower().lstrip("#") for name in table.names]
        known = (*ID_COLUMNS, (id_column or "id").lower().lstrip("#"))
        called = [lower.index(name) for name in known if name in lower]
        if metadata_id is None:
            id = _column_of_names(table, called, vertices)
        else:
            (id,) = called = column_positions([metadata_id], len(lower), table.names)
        columns = [[None if x == "" else x for x in list_column(column)] for column in table.columns]
        known_names = strain_keys(vertices)
        rows, row_of_name = dict[tuple[str, ...], int](), dict[str, int]()  # each once
        for row, texts in enumerate(zip(*(map(str, column) for column in columns), strict=True)):
            other = row_of_name.setdefault(texts[id], row)
            if rows.setdefault(texts, row) == row != other and strain_key(texts[id]) in known_names:
                differ = [str(x[other]) != text for x, text in zip(columns, texts, strict=True)]
                more = f", with another value in the column {shown(table.names[differ.index(True)])}"
                raise table.same_name(other, row, shown(texts[id]), more)
        if repeated := len(columns[id]) - len(rows):
            warn(f"{source.path}: rows that repeat another one in all columns do not count: {repeated:,}")
        columns = [[column[row] for row in rows.values()] for column in columns]
        names = ["" if x is None else str(x) for x in columns[id]]
        others = {name: columns[k] for k, name in enumerate(table.names) if k != id and name != INDEX}
        return Metadata(table.names[id], names, others, id in called)

    return source.attempt(read)


def _column_of_names(table: Table, called: list[int], vertices: Collection[str]) -> int:
    """Return the position of the column that has most of the vertices, see `columns_with_names`."""
    found = columns_with_names(dict(enumerate(map(list_column, table.columns))), vertices, called)
    rivals = {tuple(map(str, table.columns[k])): table.names[k] for k in found}
    if len(rivals) > 1 and found[0] not in called:
        which = " and ".join(map(shown, rivals.values()))
        raise OptionError(f"columns {which} may hold the names: write {argument('metadata_id')} COLUMN")
    return found[0]


def _open(source: InputFile) -> Table:
    """Read the columns of a table, or of the places of a map."""
    if table_format(source, None) not in MAPS:
        try:
            return open_table(source, comments=b"", are_numbers=False)  # a header often begins with "#"
        except FormatError:  # a catalogue has comments, whose fields are not as many as those of its table
            return open_table(source, are_numbers=False)
    from boruvka.formats.libraries.map_layers import layer_frame

    with reading_errors(source.path, "places"):
        frame = layer_frame(source, None, "Point", "Polygon")
    columns = frame.drop(columns=frame.geometry.name)
    columns = columns.astype(object).where(columns.notna(), None)
    return Table.of_columns(source, {str(name): columns[name].tolist() for name in columns})
