"""What every file format offers, and what passes between the formats and their callers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from numbers import Integral
from typing import Any, BinaryIO, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import OptionError
from boruvka.formats.files import Source
from boruvka.graph.graph import Graph, as_graph
from boruvka.graph.validation import MAX_VERTICES

__all__ = ["Content", "Format", "Options", "Part", "Piece"]


@dataclass(frozen=True)
class Options:
    """How to read a file; what is left at its default is not given.

    Parameters
    ----------
    columns : tuple of str or int, optional
        Where u, v and the weight are.
    header : bool, optional
        Whether the first line names the columns.
    one_based : bool, optional
        Whether ids begin at 1.
    n : int, optional
        Number of vertices.
    unweighted : bool
        Whether every edge has weight 1.
    """

    columns: tuple[str | int, ...] | None = None
    header: bool | None = None
    one_based: bool | None = None
    n: int | None = None
    unweighted: bool = False

    def __post_init__(self) -> None:
        if self.n is not None and not isinstance(self.n, Integral):
            raise OptionError(f"n must be an integer, got {self.n!r}")
        if self.n is not None and not 0 <= self.n <= MAX_VERTICES:
            raise OptionError(f"n must be between 0 and 2**48, got {self.n}")
        if self.columns is not None and not (
            isinstance(self.columns, Sequence) and all(isinstance(c, str | Integral) for c in self.columns)
        ):
            raise OptionError(f"columns must be names or positions, as (0, 1, 2), got {self.columns!r}")

    def given(self) -> set[str]:
        """Names of the options that are given."""
        return {field.name for field in fields(self) if getattr(self, field.name) is not field.default}


@dataclass(frozen=True)
class Content:
    """The edges of a file: those of a graph, or those that a forest takes from a graph.

    Parameters
    ----------
    n : int
        Number of vertices.
    u, v, w : (m,) arrays
        Ends and weight of each edge.
    edges : (m,) array, optional
        The index in the graph of each edge of a forest.
    """

    n: int
    u: NDArray[Any]
    v: NDArray[Any]
    w: NDArray[Any]
    edges: NDArray[np.int64] | None = None

    @classmethod
    def of(cls, graph_or_forest: Any) -> Content:
        """Take the edges of a graph, in any form that the solver accepts, or of a forest."""
        x = graph_or_forest if hasattr(graph_or_forest, "edges") else as_graph(graph_or_forest)
        return cls(int(x.n), x.u, x.v, x.w, getattr(x, "edges", None))

    @property
    def implied_n(self) -> int:
        """One more than the largest id: the number of vertices unless the last are isolated."""
        return max((int(ends.max()) + 1 for ends in (self.u, self.v) if ends.size), default=0)

    @property
    def m(self) -> int:
        """Number of edges."""
        return self.w.size


class Part(NamedTuple):
    """Which part of a file: number ``k``, from 0, of ``of`` parts of about equal size."""

    k: int
    of: int

    def slice(self, m: int) -> slice:
        """The edges of this part, of m."""
        return slice(m * self.k // self.of, m * (self.k + 1) // self.of)


@dataclass(frozen=True)
class Piece:
    """Consecutive edges of a file, one of its parts; the parts in order make the whole.

    Parameters
    ----------
    u, v, w : arrays
        Ends and weight of each edge.
    n : int, optional
        Number of vertices, where the file states it; else it is one more than the largest id of all parts.
    m : int, optional
        How many edges all parts must have, where the file announces it.
    """

    u: NDArray[Any]
    v: NDArray[Any]
    w: NDArray[Any]
    n: int | None = None
    m: int | None = None


@dataclass(frozen=True)
class Format:
    """A file format.

    Parameters
    ----------
    name : str
        What ``format=`` takes.
    endings : tuple of str
        The file names it claims, without the ending of a compression; the first is the usual one.
    description : str
        One line for people.
    read : callable
        From a source and options to a graph.
    write : callable
        From a content and a binary file to None.
    options : frozenset of str
        The options that reading takes.
    read_forest : callable, optional
        From a source to the content that a forest was written as, where that differs from the graph.
    read_part : callable, optional
        From a source, options and a `Part` to a `Piece`, where a part can be read without the whole.
    recognises : callable, optional
        Whether a source looks like this format, where formats share an ending.
    states_n : bool
        Whether a file says how many vertices there are; where not, the last one must have an edge.
    """

    name: str
    endings: tuple[str, ...]
    description: str
    read: Callable[[Source, Options], Graph]
    write: Callable[[Content, BinaryIO], None]
    options: frozenset[str] = frozenset()
    read_forest: Callable[[Source], Content] | None = None
    read_part: Callable[[Source, Options, Part], Piece] | None = None
    recognises: Callable[[Source], bool] | None = None
    states_n: bool = True

    def check(self, options: Options) -> None:
        """Refuse options that mean nothing to this format."""
        for name in sorted(options.given() - self.options):
            takes = f"it takes {', '.join(sorted(self.options))}" if self.options else "it takes none"
            raise OptionError(f"the format {self.name!r} has no option {name!r}; {takes}")
