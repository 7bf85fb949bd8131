"""The command line: a module for each command, or for a few small ones, which is imported when it runs."""

OK, FAILED, BAD_INPUT, UNFORESEEN, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 70, 130, 141
"""Exit codes: `FAILED` if a verification fails, `BAD_INPUT` also if standard output cannot be written, and
`UNFORESEEN` for an error that is none of ours, as of a library that cannot be loaded."""
WARNINGS: list[str] = []
"""Warnings of the running command, for its report."""
