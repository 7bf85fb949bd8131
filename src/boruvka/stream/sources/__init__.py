"""Where edges come from: files that are read in parts, and objects that give batches of edges."""
