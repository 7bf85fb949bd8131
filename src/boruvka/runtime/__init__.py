"""Utilities for every other package: checks of arguments, optional libraries, processors, progress bars."""
