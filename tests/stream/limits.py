"""Limits so low that small graphs are streamed in many pieces, and are solved and guarded many times."""

from boruvka.formats import files
from boruvka.stream import guard, solve
from boruvka.stream.sources import batches, lines, parquet, parts

TINY_LIMITS = (
    (solve, "edges_that_may_wait", lambda *_: 4),
    (parquet, "ROWS_AT_ONCE", 2),
    (batches, "ROWS_AT_ONCE", 3),
    (lines, "PIECE_BYTES", 24),
    (files, "_INFLATE_BYTES", 24),
    (parts, "PART_BYTES", 24),
    (guard, "LEVELS", 3),
    (guard, "SAMPLE", 4),
)
