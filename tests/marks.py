"""Which of the values of a parameter are for long tests."""

import pytest


def long_but(values, *short):
    """Mark all values as long tests, but for a few that stand for them in the default tests."""
    return [value if value in short else pytest.param(value, marks=pytest.mark.long) for value in values]
