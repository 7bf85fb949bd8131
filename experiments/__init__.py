"""Measurements of the literature, repeated: one file for each paper. See README.md."""
