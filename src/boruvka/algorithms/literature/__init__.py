"""Algorithms of the literature, one file each, to compare with the default ones."""
