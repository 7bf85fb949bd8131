"""Sources of edges: files that are read in chunks, and objects that yield batches of edges."""
