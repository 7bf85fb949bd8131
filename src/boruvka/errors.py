"""What can go wrong, as a small tree: every error is a BoruvkaError and the fitting built-in."""


class BoruvkaError(Exception):
    """The base of every error that this package raises on purpose."""


class GraphError(BoruvkaError, ValueError):
    """The values do not make a graph: an id out of range, a NaN weight, arrays of different lengths."""


class GraphTypeError(BoruvkaError, TypeError):
    """The types do not make a graph: complex weights, an argument that is no graph at all."""


class OptionError(BoruvkaError, ValueError):
    """An option has no such value: an unknown algorithm, zero threads."""


class BackendError(BoruvkaError, RuntimeError):
    """A backend cannot run: there is no GPU, or the graph does not fit its memory."""


class BackendWarning(UserWarning):
    """Another backend than the best one runs, and why."""


class FormatError(BoruvkaError, ValueError):
    """A file does not hold what its format asks for; the message names file and line."""


class FileError(BoruvkaError, OSError):
    """A file cannot be opened, read or written; the message names it."""


class MissingExtraError(BoruvkaError, ImportError):
    """A library of an optional extra is not installed; the message names the extra."""
