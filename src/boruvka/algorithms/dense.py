"""Prim's algorithm in the tiles of a matrix, then Borůvka's algorithm on the edges that tiles keep.

Idea: the pairs of vertices are the entries of a matrix, which is cut into square tiles. In each tile, in
the cache of one thread, Prim's algorithm finds the minimum spanning forest of the pairs in the tile: of b²
pairs it keeps fewer than 2b. The kept pairs are a sparse graph; its forest is kept too, and merged with
the pairs of the next tiles. So every weight is read, or every distance computed, once: O(n²) work, O(n)
memory. Distances that core distances were found from are not computed again if there are few.

Source: dense input after Parallel implementation of Borůvka's algorithm, IIT Hyderabad, 2025, section 5,
which reads the whole matrix for each component. Prim's algorithm on a matrix: E. W. Dijkstra, A note on two
problems in connexion with graphs, 1959.

Why it is right: an edge that is not in the forest of a part of the graph is the heaviest on a cycle of
that part, so on a cycle of the whole graph (cycle property). The weight of a pair is the lighter of the
entries (i, j) and (j, i). Ties are broken by the position of the entry in the matrix, row by row, which is
the order of indices.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from boruvka.algorithms.boruvka import boruvka
from boruvka.algorithms.building_blocks.edge_list import EdgeList, ImplicitEdges
from boruvka.algorithms.registry import algorithm
from boruvka.algorithms.tile_candidates import BoundedTiles
from boruvka.backends.primitives import Backend, Operator
from boruvka.errors import GraphError
from boruvka.graph.graph import DistanceGraph, MatrixGraph
from boruvka.graph.matrix import COLUMNS_AT_ONCE, WeightMatrix, is_edge, null_value_of
from boruvka.graph.points.core_distances import PairBlocks
from boruvka.graph.points.distance_blocks import BLOCK, block_distances_of, block_scratch
from boruvka.graph.points.point_index import find_core_distances
from boruvka.kernels.kernel_functions import atomic_min
from boruvka.operators.sort_keys import NONE, U64, Packing, packing_of, sort_keys_of, weight_key
from boruvka.runtime.round_log import RoundLog

PAD = U64(8)
"""Entries between the rows of a tile: with a power of two, the entries of a column share few cache lines."""
ZERO, ONE, TWO = U64(0), U64(1), U64(2)


@algorithm(
    "dense",
    source="matrix input: IIT Hyderabad, 2025; Prim's algorithm in each tile: Dijkstra 1959",
    complexity="O(n²)",
    use="matrices, and points with a distance; no edge list is made",
    implicit_graphs="a matrix, as Graph.from_dense(matrix) makes it, or points, as Graph.from_points(points)",
)
def dense(implicit_edges: ImplicitEdges, backend: Backend, round_log: RoundLog) -> Any:
    """Find the minimum spanning forest of a matrix or of points tile by tile.

    Raises
    ------
    GraphError
        A distance is NaN, or a weight of a matrix has become NaN.
    """
    implicit, packing = implicit_edges
    if isinstance(implicit, DistanceGraph):
        return implicit.edges_at(*_forest_of_points(implicit, packing, backend, round_log))
    assert isinstance(implicit, MatrixGraph)
    entries = implicit.entries(packing)
    tiles = ExactTiles(implicit.n, fill_from_matrix, entries, backend, backend.tuning.tile)
    return implicit.edges_at(*_forest(implicit.n, tiles, backend, round_log))


def forests_of_matrices(
    matrices: Any, null_value: float | None, maximum: bool, backend: Backend
) -> tuple[Any, Any, Any]:
    """Find the minimum spanning forests of many matrices of one size, each in one tile.

    Parameters
    ----------
    matrices : (k, n, n) array of integers or floats of at most 64 bits
        The weights; of (i, j) and (j, i) the lighter counts. They are read as a block-diagonal matrix.
    null_value : number, optional
        As for `boruvka.graph.graph.MatrixGraph`.
    maximum : bool
        Whether maximum spanning forests are wanted.
    backend : Backend

    Returns
    -------
    (f,), (f,), (f,) arrays of int64
        Number of the matrix, row and column of each chosen entry, in ascending order.
    """
    count, n = matrices.shape[:2]
    matrices = np.ascontiguousarray(matrices, np.result_type(matrices.dtype, f"{matrices.dtype.kind}8"))
    rows = matrices.reshape(count * n, n)
    weights = WeightMatrix(rows, null_value_of(null_value, rows.dtype), np.empty(0, np.int64))
    source = weights.entries(packing_of(rows.dtype, maximum))
    tiles = ExactTiles(count * n, fill_from_diagonal, source, backend, n)
    number = np.arange(count, dtype=np.uint64)
    pair = np.sort(tiles.solve(number, number)[0])
    row, column = (x.astype(np.int64) for x in np.divmod(pair, U64(max(count * n, 1))))
    return row // n, row % n, column % n


def _forest_of_points(
    graph: DistanceGraph, packing: Packing, backend: Backend, round_log: RoundLog
) -> tuple[Any, Any]:
    blocks = PairBlocks(graph.pairs, backend, keeps_distances=True)
    if graph.min_samples is not None and not graph.has_core_distances:
        graph.keep_core_distances(find_core_distances(graph.pairs, graph.min_samples, blocks, graph.near))
    core, first_nan = graph.source.core, np.full(1, NONE)
    if not core.size:
        least = -np.inf if graph.dtype.kind == "f" else np.iinfo(graph.dtype).min
        core = np.full(graph.n, least, graph.dtype)
    fill = fill_with_distances(graph.distance, graph.dtype.kind)
    source = blocks.points, core, blocks.matrix, packing, first_nan
    bounds = None if packing.flip else blocks.bounds
    size = min(backend.tuning.tile, int(BLOCK)) if bounds is None else BoundedTiles.size
    tiles: ExactTiles | BoundedTiles = ExactTiles(graph.n, fill, source, backend, size, graph.dtype)
    if bounds is not None:
        tiles = BoundedTiles(graph.distance, bounds, tiles)
    pairs = _forest(graph.n, tiles, backend, round_log)
    if first_nan[0] != NONE:
        i, j = divmod(int(first_nan[0]), graph.n)
        raise GraphError(f"the distance of points {i} and {j} is NaN")
    return pairs


class Tiles(NamedTuple):
    """The tiles of a batch, and arrays for the pairs that they keep."""

    row: Any
    """Block of rows of each tile."""
    column: Any
    """Block of columns of each tile."""
    n: np.uint64
    size: np.uint64
    """Rows and columns of a tile."""
    pair: Any
    """Kept pairs i * n + j, with room for 2 * size in each tile; NONE where there is none."""
    key: Any
    """Weight keys of these pairs."""


def _forest(
    n: int, tiles: ExactTiles | BoundedTiles, backend: Backend, round_log: RoundLog
) -> tuple[Any, Any]:
    """Find the rows and columns of the pairs in the forest, ordered by row."""
    pair, key = (backend.empty(0, np.uint64) for _ in range(2))
    tiles_at_once = max(backend.tuning.pairs_of_tiles, 4 * n) // tiles.room
    blocks = -(-n // tiles.size)
    for row, column in _batches(blocks, tiles_at_once):
        round_log.begin("tiles", n, row.size * tiles.size * tiles.size)
        with round_log.step("tiles"):
            kept_pair, kept_key = tiles.solve(row, column)
        with round_log.step("sort"):
            pair, key = np.concatenate([pair, kept_pair]), np.concatenate([key, kept_key])
            order = backend.argsort(pair)
            pair, key = pair[order], key[order]
        if blocks > 1:
            chosen = boruvka(_edge_list(n, pair, key, backend), backend, round_log)
            pair, key = pair[chosen], key[chosen]
    return (pair // n).astype(np.int64), (pair % n).astype(np.int64)


class ExactTiles:
    """Finds the forest of each tile from its weights.

    ``fill(tile, n, scratch, *source)`` stores the weight keys and pairs of a tile; ``scratch`` is for a block
    of distances of type ``dtype``. Tiles have at most ``size`` rows and columns.
    """

    def __init__(
        self, n: int, fill: Operator, source: Any, backend: Backend, size: int, dtype: Any = np.float64
    ):
        self.n, self.fill, self.source, self.backend, self.dtype = n, fill, source, backend, dtype
        self.size = max(min(size, n), 1)

    @property
    def room(self) -> int:
        """Maximum number of pairs that a tile keeps."""
        return 2 * self.size

    def solve(self, row: Any, column: Any) -> tuple[Any, Any]:
        """Find the pairs that tiles keep, and their weight keys."""
        size, backend = self.size, self.backend
        local = [(2 * size * (size + int(PAD)), U64)] * 2 + [(2 * size, U64)] * 3 + block_scratch(self.dtype)
        pair, key = (backend.empty(self.room * row.size, np.uint64) for _ in range(2))
        tiles = Tiles(row, column, U64(self.n), U64(size), pair, key)
        backend.for_each_block(solve_tile(self.fill), row.size, local, tiles, *self.source)
        pair, key = backend.emit_one_group(emit_pair, pair.size, (np.uint64, np.uint64), pair, key)
        return pair, key


def _edge_list(n: int, pair: Any, key: Any, backend: Backend) -> EdgeList:
    """Make an edge list of sorted pairs."""
    u, v = (backend.empty(pair.size, np.uint32 if n <= 2**32 else np.uint64) for _ in range(2))
    backend.for_each(store_ends, pair.size, pair, U64(n), u, v)
    for array in u, v, key:  # as in a `Graph`: kernels are compiled for read-only arrays
        array.flags.writeable = False
    return EdgeList(n, u, v, sort_keys_of(key))


def _batches(blocks: int, most: int) -> Iterator[tuple[Any, Any]]:
    """List the tiles on and above the diagonal, row by row, in batches of about ``most`` tiles."""
    first = 0
    while first < blocks:
        last, tiles = first + 1, blocks - first
        while last < blocks and tiles + blocks - last <= most:
            tiles += blocks - last
            last += 1
        rows = np.repeat(np.arange(first, last, dtype=U64), blocks - np.arange(first, last))
        yield rows, np.concatenate([np.arange(row, blocks, dtype=U64) for row in range(first, last)])
        first = last


# The entries of a tile


class Tile(NamedTuple):
    """A tile as a graph: its vertices are the rows, then the columns; on the diagonal these are the same.

    ``key`` and ``pair`` have a row for each vertex, which holds its pairs with the vertices on the other
    side.
    """

    top: Any
    left: Any
    height: Any
    width: Any
    offset: Any
    """Number of the first column among the vertices: 0 on the diagonal."""
    pitch: Any
    """Entries from one row to the next."""
    key: Any
    pair: Any


class Frontier(NamedTuple):
    """For each vertex of a tile, its lightest pair with a vertex of the tree."""

    key: Any
    pair: Any
    in_tree: Any
    """All bits set for a vertex that is in a tree, else zero."""


@functools.cache
def solve_tile(fill: Operator) -> Operator:
    """Make the operator that finds the forest of a tile, for a function that fills the tile."""

    def solve(t, key, pair, best_key, best_pair, in_tree, distance, rows, columns, tiles, *source):
        n, size = tiles.n, tiles.size
        top, left, pitch = tiles.row[t] * size, tiles.column[t] * size, size + PAD
        height, width = min(size, n - top), min(size, n - left)
        offset = size if top != left else ZERO
        tile = Tile(top, left, height, width, offset, pitch, key, pair)
        fill(tile, n, (distance, rows, columns), *source)
        run_prim(t, tile, Frontier(best_key, best_pair, in_tree), tiles)

    solve.__name__ = solve.__qualname__ = f"solve_tile_{fill.__name__}"
    return solve


def fill_from_matrix(tile, n, scratch, bits, packing, absence):
    """Fill a tile with entries of a matrix, of which the lighter one of (i, j) and (j, i) counts."""
    top, left, offset, pitch = tile.top, tile.left, tile.offset, tile.pitch
    for x in range(tile.height):
        for y in range(tile.width):
            k = x * pitch + y
            i, j = top + x, left + y
            tile.key[k], tile.pair[k] = read_entry(bits[i, j], i, j, n, packing, absence)
    if offset:
        for y in range(tile.width):
            for x in range(tile.height):
                k = (offset + y) * pitch + x
                i, j = left + y, top + x
                tile.key[k], tile.pair[k] = read_entry(bits[i, j], i, j, n, packing, absence)
    merge_halves(tile)


def fill_from_diagonal(tile, n, scratch, bits, packing, absence):
    """Fill a tile on the diagonal of a block-diagonal matrix, whose blocks are stored below each other."""
    top = tile.top
    for x in range(tile.height):
        for y in range(tile.width):
            k = x * tile.pitch + y
            tile.key[k], tile.pair[k] = read_entry(bits[top + x, y], top + x, top + y, n, packing, absence)
    merge_halves(tile)


def read_entry(entry, i, j, n, packing, absence):
    """Return weight key and pair of an entry of a matrix, both NONE if there is no edge.

    The key of NaN is 0, below the key of any number: the forest has such a pair, and its weight is an error.
    """
    b = U64(entry)
    present = is_edge(b, packing, absence) & (i != j)
    key = ZERO if (b & ~packing.sign) > absence.infinite else weight_key(b, packing)
    return key if present else NONE, i * n + j if present else NONE


@functools.cache
def fill_with_distances(distance: Callable[[Any, Any], Any], kind: str) -> Operator:
    """Make the function that fills a tile with distances of a ``kind``, or mutual reachability distances.

    Where weights are plain distances, no distance is smaller than the core distances.
    """
    block_distances = block_distances_of(distance)
    bits_of = {"i": bits_of_int, "u": bits_of_unsigned, "f": bits_of_float}[kind]

    def fill(tile, n, scratch, points, core, matrix, packing, first_nan):
        top, left, width, key, pair = tile.top, tile.left, tile.width, tile.key, tile.pair
        distance, rows, columns = scratch
        if matrix.size:
            for x in range(tile.height):
                for y in range(width):
                    distance[x * BLOCK + y] = matrix[top + x, left + y]
        else:
            block_distances(top, tile.height, left, width, points, rows, columns, distance)
        for x in range(tile.height):
            i, row, block_row, nans = top + x, x * tile.pitch, x * BLOCK, ZERO
            for y in range(width):
                d, j = distance[block_row + y], left + y
                key[row + y] = weight_key(bits_of(max(d, max(core[i], core[j]))), packing)
                pair[row + y] = min(i, j) * n + max(i, j)
                nans += U64(d != d)
            for y in range(width if nans else ZERO):
                if distance[block_row + y] != distance[block_row + y]:
                    atomic_min(first_nan, ZERO, pair[row + y])
            if not tile.offset:
                key[row + x] = pair[row + x] = NONE
        for y in range(width if tile.offset else ZERO):
            for x in range(tile.height):
                across = (tile.offset + y) * tile.pitch + x
                key[across], pair[across] = key[x * tile.pitch + y], (top + x) * n + left + y

    fill.__name__ = fill.__qualname__ = distance.__name__
    return fill


def bits_of_int(x):
    """Return the bits of an integer."""
    return np.int64(x).view(np.uint64)


def bits_of_unsigned(x):
    """Return the bits of an unsigned integer."""
    return np.uint64(x)


def bits_of_float(x):
    """Return the bits of a float."""
    return np.float64(x).view(np.uint64)


def merge_halves(tile):
    """Store the lighter of the entries (i, j) and (j, i) in the rows of both vertices."""
    key, pair = tile.key, tile.pair
    for first in range(ZERO, tile.width, COLUMNS_AT_ONCE):
        for x in range(tile.height):
            for y in range(first, min(first + COLUMNS_AT_ONCE, tile.width)):
                here, across = x * tile.pitch + y, (tile.offset + y) * tile.pitch + x
                if tile.offset or x < y:
                    lighter = (key[across] < key[here]) | (pair[here] == NONE)
                    k, p = key[across] if lighter else key[here], pair[across] if lighter else pair[here]
                    key[here], pair[here] = k, p
                    key[across], pair[across] = k, p


# Prim's algorithm in a tile


def run_prim(t, tile, best, tiles):
    """Find the forest of tile t: grow trees until every vertex is in one; store their pairs and keys."""
    n, vertices = tiles.n, tile.offset + tile.width
    slot, last = TWO * tiles.size * t, TWO * tiles.size * (t + ONE)
    for x in range(vertices):
        best.key[x], best.pair[x], best.in_tree[x] = NONE, NONE, ZERO
    first = newest = ZERO
    for _ in range(vertices):
        key, pair = lightest(vertices, best)
        if pair != NONE:
            tiles.pair[slot], tiles.key[slot] = pair, key
            slot += ONE
            newest = vertex_of(pair // n, tile)
            if best.in_tree[newest]:
                newest = vertex_of(pair % n, tile)
        else:  # start another tree
            while best.in_tree[first]:
                first += ONE
            newest = first
        best.key[newest], best.pair[newest], best.in_tree[newest] = NONE, NONE, NONE
        update(newest, tile, best)
    for k in range(slot, last):
        tiles.pair[k] = NONE


def lightest(vertices, best):
    """Find the lightest pair that leaves the tree, and its key; NONE if there is none."""
    key, pair = NONE, NONE
    for y in range(vertices):
        key = min(key, best.key[y])
    for y in range(vertices):  # of equal keys the first
        pair = min(pair, best.pair[y] if best.key[y] == key else NONE)
    return key, pair


def update(newest, tile, best):
    """Update the lightest pairs with the pairs of the newest vertex of the tree."""
    begin, count = (tile.offset, tile.width) if newest < tile.offset else (ZERO, tile.height)
    row = newest * tile.pitch
    for k in range(count):
        z = begin + k
        key, pair = tile.key[row + k] | best.in_tree[z], tile.pair[row + k] | best.in_tree[z]
        better = (key < best.key[z]) | ((key == best.key[z]) & (pair < best.pair[z]))
        best.key[z], best.pair[z] = (key if better else best.key[z]), (pair if better else best.pair[z])


def vertex_of(i, tile):
    """Find the number that vertex i of the graph has in the tile."""
    return i - tile.top if tile.top <= i < tile.top + tile.height else tile.offset + i - tile.left


# The pairs that tiles keep


def emit_pair(k, pair, key):
    """Emit the k-th kept pair, in the only group, if there is one."""
    return pair[k] != NONE, ZERO, pair[k], key[k]


def store_ends(k, pair, n, u, v):
    """Store the ends of a pair."""
    u[k], v[k] = pair[k] // n, pair[k] % n
