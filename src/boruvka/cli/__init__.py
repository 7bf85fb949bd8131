"""The command line: a module for each command, or for a few small ones, which is imported when it runs."""

OK, FAILED, BAD_INPUT, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
"""Exit codes: `FAILED` if a verification fails, `BAD_INPUT` also if standard output cannot be written."""
