"""Sources of edges: files that are read in parts, and objects that yield batches of edges."""
