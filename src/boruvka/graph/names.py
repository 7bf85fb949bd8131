"""Names of vertices: an array beside the graph, and a table from names to numbers for queries."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Mapping
from itertools import islice, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.backends.device_arrays import detached
from boruvka.errors import GraphError, GraphTypeError, first_true, item_text, shown
from boruvka.graph.columns import items_of, list_column, listed, read_array, read_column, refuse_rounded
from boruvka.runtime.arguments import is_command_running

MAX_DIMENSIONS = 32
"""Maximum depth of nested lists of names."""
LEAST_ALIKE = 0.6, 0.85
"""Least similarity of a wrong name to the one that was perhaps meant; the second is for names with digits."""
SEARCHED = 10_000
"""Number of names among which an error message searches for a close one."""
_INTEGER = re.compile(r"-?\d{1,300}")
"""Integers that Python converts: it refuses texts of thousands of digits."""
_BEHIND_ID = re.compile(r"\d+\|.")
_GENOME_FILE = re.compile(
    r"(?i)\s*(?:.*[/\\])?([^/\\]+?)(?:[._-](?:contigs?|scaffolds?|assembly|genomic))?\.(?:fasta|fastq|fas|fna|ffn|fsa"
    r"|faa|fa|fq|gbk|gbff|gb|gff3?|vcf|bam)(?:\.(?:gz|bz2|xz|zst))?\s*"
)


def name_array(names: Any, n: int) -> NDArray[Any]:
    """Make a read-only array of n names, one element each, whatever they are.

    Raises
    ------
    GraphError
        There are not n names.
    """
    if type(names).__module__.partition(".")[0] == "pyarrow":  # iterated over, it gives scalars of Arrow
        names = list_column(read_column("names", names))
    elif isinstance(names, np.ndarray) and names.dtype.kind in "Mm" and names.ndim == 1:
        names = items_of(names)
    if not isinstance(names, np.ndarray):
        names = listed("names", names)
        names = np.fromiter(names, object, len(names))  # tuples stay elements
    if names.shape != (n,):
        got = names.size if names.ndim == 1 else f"shape {names.shape}"
        raise GraphError(f"there must be one name for each of the {n} vertices, got {got}")
    refuse_rounded("names", names)
    view = names.view()
    view.flags.writeable = False
    return view


def integer_names(u: Any, v: Any, names: Any) -> NDArray[Any] | None:
    """Return a list of names if they and the ends of edges are integers; else, and for a mapping, None."""
    if isinstance(names, bool | None | Mapping):
        return None
    column = read_column("names", names if hasattr(names, "__array__") else listed("names", names))
    are_integers = all(isinstance(x, np.ndarray) and x.dtype.kind in "iuf" for x in (u, v, column))
    if not are_integers or column.ndim != 1 or column.dtype.kind == "f":
        return None
    refuse_rounded("u", u)
    refuse_rounded("v", v)
    return column


def check_ends_are_positions(u: Any, v: Any, names: Any) -> None:
    """Raise a `GraphError` if all ends of edges are among names that are integers, but not 0 to n - 1."""
    ids = integer_names(u, v, names)
    if ids is None or not u.size or np.array_equal(np.sort(ids), np.arange(ids.size)):
        return
    if np.isin(u, ids).all() and np.isin(v, ids).all():
        raise GraphError(
            "the ends in u and v may be names, or positions in names: if they are positions, write "
            f"n={ids.size}; if names, boruvka.as_graph(pandas.DataFrame(dict(u=u, v=v, w=w)), names=names)"
        )


def ends_text(names: NDArray[Any] | None, u: Any, v: Any, first_id: int = 0) -> str:
    """Return the ends of an edge as errors show them: their names, or their numbers where they have none.

    Numbers begin at ``first_id`` while a command runs, and at 0 in Python, where arrays hold them.
    """
    ends = [int(u), int(v)]
    start = first_id if is_command_running() else 0
    if names is None or max(ends) >= len(names):
        return f"({ends[0] + start}, {ends[1] + start})"
    first, second = names[ends].tolist()
    return f"({shown(first)}, {shown(second)})"


def number_of_name(names: NDArray[Any], what: str = "vertices") -> dict[Hashable, int]:
    """Make the table that `numbers_of` uses; errors say what has the names.

    Raises
    ------
    GraphError
        Two vertices have the same name.
    GraphTypeError
        A name is not hashable.
    """
    names_of_vertices = names.tolist()
    try:
        numbers = {name: i for i, name in enumerate(names_of_vertices)}
    except (TypeError, ValueError) as error:
        raise GraphTypeError(f"the name of a vertex cannot be a key: {error}") from None
    if len(numbers) < len(names_of_vertices):
        i, name = next((i, name) for i, name in enumerate(names_of_vertices) if numbers[name] != i)
        remedy = "leave one of them out, or change its name"
        twice = GraphError(f"{what} {i} and {numbers[name]} have the same name {shown(name)}: {remedy}")
        twice.same_name = i, numbers[name], shown(name)
        raise twice
    return numbers


def numbers_of(
    numbers: Mapping[Hashable, int], argument: str, names: Any, listed_by: str = ""
) -> NDArray[np.int64]:
    """Find the vertices with the given names; the inverse of `Graph.name_of`.

    Parameters
    ----------
    numbers : mapping
        The result of `number_of_name`.
    argument : str
        Name of the argument in errors.
    names : name, or array, column or sequence of names
        A tuple is a name if a vertex has this name, else a sequence. Lists may be nested.
    listed_by : str
        Name of the argument that lists all vertices, for errors; by default the graph has them.

    Returns
    -------
    array of int64
        In the shape of the names; of no dimension for one name.

    Raises
    ------
    GraphError
        No vertex has such a name.
    """
    flat, shape = _flattened(numbers, argument, names)
    try:
        found = np.fromiter(map(numbers.get, flat, repeat(-1)), np.int64, len(flat))
    except (TypeError, ValueError) as error:
        raise GraphTypeError(f"{argument} must hold names of vertices: {error}") from None
    if (i := first_true(found < 0)) is not None:
        is_none = "is the name of no vertex; vertices of this graph are given by their names"
        if listed_by:
            missing, every = len({flat[k] for k in np.flatnonzero(found < 0)}), len(set(flat))
            is_none = f"is not in {listed_by}=, which lacks {missing:,} of the {every:,} names in {argument}"
        value = item_text(argument, i, shown(flat[i])) if shape else f"{argument} = {shown(flat[i])}"
        raise GraphError(f"{value} {is_none}{name_hint(numbers, flat[i])}")
    return found.reshape(shape)


def _flattened(
    numbers: Mapping[Hashable, int], argument: str, names: Any
) -> tuple[list[Any], tuple[int, ...]]:
    """List names, and return the shape in which they were given."""
    names = detached(names)
    if hasattr(names, "__array__"):
        if not isinstance(names, np.ndarray | np.generic) and getattr(names, "ndim", 1) == 1:
            column = list_column(read_column(argument, names))
            return column, (len(column),)
        array = read_array(argument, names)
        return items_of(array.ravel()), array.shape
    if not isinstance(names, Iterable) or isinstance(names, str | bytes) or _is_key(numbers, names):
        return [names], ()
    rows = listed(argument, names)
    shape: tuple[int, ...] = (len(rows),)
    while rows and all(type(row) is list for row in rows):
        if len(shape) == MAX_DIMENSIONS:
            raise GraphTypeError(f"{argument} is a list that is nested more than {MAX_DIMENSIONS} times")
        if len({len(row) for row in rows}) > 1:
            raise GraphError(f"{argument} has rows of different lengths")
        shape += (len(rows[0]),)
        rows = [name for row in rows for name in row]
    return rows, shape


def _is_key(numbers: Mapping[Hashable, int], name: Any) -> bool:
    try:
        return name in numbers
    except (TypeError, ValueError):  # not hashable
        return False


def strain_name(name: Any) -> Any:
    """Return the name of the strain of a file: A12 of ``A12 ``, ``A12.fna.gz`` and ``runs/A12_contigs.fa``.

    An object that is not a string is its own name.
    """
    if not isinstance(name, str):
        return name
    file = _GENOME_FILE.fullmatch(name)
    return file[1] if file else name.strip()


def strain_key(name: Any) -> Any:
    """Return the name of the strain of a file in lower case, by which names in another case are compared."""
    strain = strain_name(name)
    return strain.casefold() if isinstance(strain, str) else strain


def strain_keys(names: Iterable[Any]) -> set[Any]:
    """Return the keys of strains, and those without the numbers that BIGSdb writes before a bar: 54|KP1."""
    found = {*map(strain_key, names)}
    return found | {str(name).partition("|")[2] for name in found if _BEHIND_ID.match(str(name))}


def name_hint(numbers: Mapping[Hashable, int], name: Any) -> str:
    """Suggest a name that was perhaps meant: of another type, or a close one."""
    if isinstance(name, str):
        if _INTEGER.fullmatch(name) and int(name) in numbers:
            return f", and there is {int(name)}, which is not a string"
        import difflib

        known = list(islice((other for other in numbers if isinstance(other, str)), SEARCHED))
        least, plain = LEAST_ALIKE[any(map(str.isdigit, name))], _plain(name)
        alike = [other for other in known if plain and _plain(other).startswith(plain)]
        alike = alike or [other for other in known if len(plain) > 2 and plain in _plain(other)]
        close = sorted(alike, key=len) or difflib.get_close_matches(name, known, 1, least)
        return f"; is it {shown(close[0])}?" if close else ""
    if isinstance(name, int | float) and shown(name) in numbers:
        return f", and there is {shown(shown(name))}, which is a string"
    if isinstance(name, int) and 0 <= name < len(numbers):
        return f"; that of vertex number {name} is {shown(next(islice(numbers, name, None)))}"
    return ""


def _plain(name: str) -> str:
    """Return the letters and digits of a name, in lower case; a stroke through l or o does not count."""
    return re.sub(r"[\W_]", "", name).lower().translate(str.maketrans("łø", "lo"))
