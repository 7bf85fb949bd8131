"""Limits so low that small graphs are streamed in many batches, and are solved and guarded many times."""

from boruvka.formats import files
from boruvka.stream import bottleneck_filter, memory
from boruvka.stream.sources import batches, chunked_file, lines, parquet

TINY_LIMITS = (
    (memory.MemoryBudget, "max_pending", lambda *_: 4),
    (parquet, "ROWS_AT_ONCE", 2),
    (batches, "ROWS_AT_ONCE", 3),
    (lines, "BATCH_BYTES", 24),
    (files, "_INFLATE_BYTES", 24),
    (chunked_file, "CHUNK_BYTES", 24),
    (bottleneck_filter, "LEVELS", 3),
    (bottleneck_filter, "SAMPLE", 4),
)
