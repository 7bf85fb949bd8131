"""Tests of random numbers: each is passed by all but one in ten thousand samples."""

import numpy as np


def has_shares(counts, expected=None):
    """Pearson's test: do counts agree with what is expected, by default with equal counts?"""
    counts = np.asarray(counts, float)
    expected = counts.mean() if expected is None else expected
    freedom = counts.size - 1
    limit = freedom * (1 - 2 / (9 * freedom) + 3.719 * (2 / (9 * freedom)) ** 0.5) ** 3  # Wilson, Hilferty
    return ((counts - expected) ** 2 / expected).sum() < limit


def is_uniform(x):
    """Kolmogorov's test: are numbers uniform between 0 and 1?"""
    steps = np.arange(x.size + 1) / x.size
    x = np.sort(x)
    return max((steps[1:] - x).max(), (x - steps[:-1]).max()) * x.size**0.5 < 2.225


def rank_correlation(x, y):
    """Spearman's correlation; equal numbers have their mean rank."""
    return np.corrcoef(_ranks(x), _ranks(y))[0, 1]


def _ranks(x):
    _, place, count = np.unique(x, return_inverse=True, return_counts=True)
    return (np.cumsum(count) - count / 2)[place]
