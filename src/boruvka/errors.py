"""The exceptions of this package: each is a `BoruvkaError` and a built-in exception."""


class BoruvkaError(Exception):
    """The base class of all errors that this package raises on purpose."""


class GraphError(BoruvkaError, ValueError):
    """The values do not make a graph: an id out of range, a NaN weight, arrays of different lengths."""


class GraphTypeError(BoruvkaError, TypeError):
    """The types do not make a graph: complex weights, an argument that is not a graph."""


class GraphWarning(UserWarning):
    """A graph is probably not the one that was meant; the message says how to state which one is."""


class OptionError(BoruvkaError, ValueError):
    """The value of an option is not allowed: an unknown algorithm, zero threads."""


class BackendError(BoruvkaError, RuntimeError):
    """A backend cannot run: there is no GPU, or the graph does not fit its memory."""


class BackendWarning(UserWarning):
    """Another backend than the best one is used; the message has the reason."""


class FormatError(BoruvkaError, ValueError):
    """The content of a file violates its format; the message names the file and the line."""


class FileError(BoruvkaError, OSError):
    """A file cannot be opened, read or written; the message names it."""


class MissingExtraError(BoruvkaError, ImportError):
    """A library of an optional extra is not installed; the message names the extra."""
