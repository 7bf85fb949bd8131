"""Checks of the metric of an estimator, and of its arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from copy import deepcopy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import BoruvkaError, OptionError, shown


def check_metric(estimator: Any) -> None:
    """Raise an `OptionError` unless the metric is a name or a function, and its arguments a dict."""
    metric, params = estimator.metric, estimator.metric_params
    if not (isinstance(metric, str) or callable(metric)):
        raise OptionError(f"metric must be a name or a function of two points, got {shown(metric)}")
    if params is not None and not (isinstance(params, Mapping) and all(type(x) is str for x in params)):
        raise OptionError(f"metric_params must be a dict of arguments by name, got {shown(params)}")


def fixed_params(estimator: Any, points: NDArray[np.float64]) -> dict[str, Any]:
    """Copy the arguments of the metric, with those that it would compute from other points each time."""
    params = deepcopy(dict(estimator.metric_params or {}))
    if estimator.metric == "seuclidean":
        params.setdefault("V", np.var(points, axis=0, ddof=1))
    if estimator.metric == "mahalanobis" and "V" not in params:
        params.setdefault("VI", np.linalg.inv(np.atleast_2d(np.cov(points.T))).T)
    return params


@contextmanager
def metric_errors(estimator: Any) -> Iterator[None]:
    """Turn the TypeError of a named metric that does not take its arguments into an `OptionError`."""
    try:
        yield
    except TypeError as error:
        if isinstance(error, BoruvkaError) or callable(estimator.metric) or not estimator.metric_params:
            raise
        what = f"metric_params={shown(estimator.metric_params)} do not suit the metric {estimator.metric}"
        raise OptionError(f"{what}: {error}") from error
