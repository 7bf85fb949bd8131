"""The tuning constants: from which sizes a method pays, and how large blocks and parts are.

Each backend has one `Tuning`, which it gives to the algorithms that run on it. The values were measured
(``docs/decisions/``); results do not depend on them. A test gives a backend small ones, so that small graphs
take every path.
"""

from __future__ import annotations

from typing import NamedTuple


class Tuning(NamedTuple):
    """The tuning constants of a backend and of the algorithms that run on it."""

    # The choice of backend and algorithm

    gpu_pays_from: int = 2_000_000
    """Minimum number of edges for a GPU, which is then faster even in a process that has not used it.

    With copies, an H100 solves 0.7 million edges in a fifth of the time of 16 threads, but initialising it
    takes some tenths of a second.
    """
    sorting_pays_below: int = 150_000
    """Below this number of edges, Kruskal's algorithm is faster than rounds."""
    sorting_scattered_pays_below: int = 6_000_000
    """Below this number of edges, times threads, Kruskal's algorithm is faster where edges are in no order,
    and few for each vertex: rounds would read at random."""
    sorting_scattered_pays_at_degree: float = 2.5
    """Maximum number of edges per vertex for sorting scattered edges on one thread; on several, a filter is
    used where it pays."""
    prim_pays_up_to: int = 2_000
    """Maximum number of points for Prim's algorithm on one thread; half as many with core distances, which
    are found in a kd-tree."""
    prim_pays_up_to_coordinates: int = 48_000
    """Maximum number of all their coordinates: with more, distances are faster in blocks."""
    blocks_pay_from: int = 1_100_000
    """Minimum number of vertices for blocks; below it, rounds over all edges are cheap."""

    # Light edges first

    light_per_component: float = 1.25
    """Light edges for each component: 89 % of a random graph's vertices are then in one component."""
    light_share_up_to: float = 1 / 16
    """Maximum share of light edges if more than `light_per_component` are used, to connect a dense graph."""
    light_are_few_below: float = 1 / 20
    """Minimum share of light edges to copy them in one pass; below it, nearly every read of the ends of one
    misses the cache."""
    filter_pays_from: int = 25_000
    """Minimum number of edges for a filter; below it, its passes cost more than it saves."""
    filter_pays_on_gpu_from: int = 40_000_000
    """Minimum number of edges for a filter on a GPU: it saves reads, and adds rounds, which have many
    launches."""
    filter_pays_at_degree: float = 4
    """Minimum number of edges per component for a filter, where rounds over all edges are cheap: in a
    worklist, or where the ends of edges have close numbers."""
    filter_pays_at_random_degree: float = 2
    """Minimum number of edges per vertex for a filter, where edges join distant vertices; with fewer edges,
    most of them are light."""
    filter_pays_at_scattered_degree: float = 1.5
    """Minimum number of edges per vertex for a filter, where the edge list is in no order."""
    kept_by_filter: float = 0.5
    """Maximum share of the edges that a filter may keep to be used again."""

    # Sorting, blocks and tiles

    sort_worklist_below: int = 60_000
    """Minimum number of worklist edges for rounds; below it, one sort and one pass over the edges are
    faster."""
    fusing_pays_below: int = 20_000
    """Minimum number of edges, or of vertices, for the steps of Kruskal's algorithm one by one; of points,
    for the steps that end a round."""
    block_bits: int = 16
    """A block of 2**16 vertices and their edges takes about a megabyte, and fits the cache of one core."""
    tile: int = 128
    """Rows and columns of a tile of a matrix: its pairs take 512 KB, and one in 64 is kept."""
    whole_matrices_up_to: int = 700
    """Maximum number of rows of matrices that are one tile each, where there are many: a tile then takes
    8 MB, and larger matrices are solved one after another."""
    pairs_of_tiles: int = 1 << 20
    """Pairs that tiles may keep before their forest is found; at least four for each vertex."""

    # Published algorithms

    filter_kruskal_sorts_up_to: int = 20_000
    """Maximum number of edges that Filter-Kruskal sorts without a filter."""
    radix_digit_bits: int = 8
    """Bits of a digit of a sort by splits. The TLB covers this many groups; with more, each write would miss
    it."""
    quadratic_up_to: int = 20_000
    """Maximum number of vertices for a search by component unless it is forced: its time is quadratic."""

    # Ranks of MPI

    replicated_up_to: int = 1 << 16
    """Edges of all ranks that every rank gets to finish alone: it costs no more than a round or two."""
    local_forest_at_degree: float = 2
    """Minimum number of edges of a rank, for each component, for which it replaces them by their forest."""
    vertices_at_edge: int = 64
    """Maximum number of vertices, for each edge of a rank, for which a rank holds a bit for every vertex: 8
    bytes an edge."""
    pivot_sample: int = 1 << 12
    """Edges of all ranks in the sample for the pivot."""

    two_steps_from: int = 1 << 8
    """Minimum number of ranks for exchanges in two steps."""
    bytes_of_message: int = 1 << 9
    """Bytes whose transfer takes as long as the latency of a message. Exchanges of more bytes per rank take
    one step."""

    # Threads

    inline_below: int = 8_000
    """Minimum number of elements for several threads."""
    costly_inline_below: int = 40_000
    """Minimum number of elements for several threads in primitives that need two launches."""
    parts_of_thread: int = 4
    """Parts for each thread: more than one, as threads may be interrupted by other work."""
    parts_besides: int = 48
    """Maximum number of parts beyond one for each thread: with many threads, taking a part costs more."""
    smallest_part: int = 2_000
    """Minimum number of elements of a part."""
    largest_part: int = 1 << 18
    """Maximum number of elements of a part."""
    output_parts_of_thread: int = 2
    """Parts for each thread of a loop that stores elements. What a part stores takes at least a huge page of
    each array, 2 MB: with many parts, all of an array that is a tenth full is in memory."""
    largest_output_part: int = 1 << 24
    """Maximum number of elements of such a part, a tenth of a second: Ctrl-C is handled between parts."""
    elements_at_once: int = 1 << 20
    """Number of elements after which the calling thread handles Ctrl-C, a few milliseconds."""
    private_minima: int = 2
    """Maximum number of private minima, of all threads but one, for each element that proposes."""
    buckets_pay_from: int = 1 << 20
    """Minimum number of values, times threads, to sort buckets of equal high bits."""
    fewest_in_buckets: int = 1 << 17
    """Minimum number of values to sort buckets, with however many threads."""
