"""Exit codes of every command."""

OK = 0
FAILED = 1
"""A verification failed."""
BAD_INPUT = 2
"""The input or the usage is wrong, or standard output cannot be written."""
INTERRUPTED = 130
BROKEN_PIPE = 141
