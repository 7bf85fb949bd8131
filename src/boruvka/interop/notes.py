"""Counts of rows that warnings are about, added up over the batches of edges that were read."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boruvka.errors import shown, warn
from boruvka.interop.column_names import Costs
from boruvka.interop.missing_values import Gaps

__all__ = ["Notes"]


class Notes(NamedTuple):
    """Counts of rows with a gap, and of rows whose weight may mean something else.

    Parameters
    ----------
    no_end, no_weight : int
        Rows that are left out because they have no end, or no weight; a row may have neither.
    left_out : int
        Rows that are left out.
    closed : int
        Negative costs beside a column reverse_cost.
    """

    no_end: int = 0
    no_weight: int = 0
    left_out: int = 0
    closed: int = 0

    @classmethod
    def of(cls, gaps: Gaps, left_out: int) -> Notes:
        """Note that rows with these gaps are left out."""
        return cls(*gaps, left_out)

    def __add__(self, other: object) -> Notes:
        """Add the counts of other rows."""
        if not isinstance(other, Notes):
            return NotImplemented
        return Notes(*map(int.__add__, self, other))

    def with_costs(self, costs: Costs | None, w: NDArray[Any]) -> Notes:
        """Count the negative weights, if the weights are costs of one of two directions."""
        if costs is None or w.dtype.kind not in "if":
            return self
        return self._replace(closed=self.closed + int(np.count_nonzero(w < 0)))

    def warn(self, edges: int, costs: Costs | None) -> None:
        """Warn of rows that are left out, and of negative costs.

        Parameters
        ----------
        edges : int
            Number of the other rows.
        costs : Costs, optional
            The columns of costs.

        Warns
        -----
        GraphWarning
            A row is left out, or a cost is negative.
        """
        if self.left_out:
            warn(
                f"{self.left_out:,} of {edges + self.left_out:,} rows are left out: "
                f"{Gaps(self.no_end, self.no_weight)}"
            )
        if self.closed and costs is not None:
            rows = "row has" if self.closed == 1 else "rows have"
            warn(
                f"{self.closed:,} {rows} a negative {shown(costs.weight)} beside the column "
                f"{shown(costs.other)}, which in "
                "pgRouting closes the road in this direction; here it is the lightest edge: leave out roads "
                "that are closed in both directions, give the others the larger of both costs, and read that "
                "column as the weight"
            )
