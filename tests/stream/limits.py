"""Limits so low that small graphs are streamed in many batches, and are solved and guarded many times."""

from boruvka import formats
from boruvka.stream import bottleneck_filter, memory
from boruvka.stream.sources import batches, files, parquet

TINY_LIMITS = (
    (memory.MemoryBudget, "max_pending", lambda *_: 4),
    (parquet, "ROWS_AT_ONCE", 2),
    (batches, "ROWS_AT_ONCE", 3),
    (files, "BATCH_BYTES", 24),
    (formats.files, "_INFLATE_BYTES", 24),
    (files, "CHUNK_BYTES", 24),
    (bottleneck_filter, "LEVELS", 3),
    (bottleneck_filter, "SAMPLE", 4),
)
