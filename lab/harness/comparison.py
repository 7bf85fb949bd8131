"""Two functions that do the same, timed in turn: ours and another one, whose answers are checked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from boruvka.errors import BoruvkaError
from lab.harness.command import show
from lab.harness.contestant import Contestant
from lab.harness.results import times_of
from lab.harness.schemes import Scheme
from lab.harness.tables import ratio
from lab.harness.turns import Plan, Reference, race

OURS, OTHER = "boruvka", "other"


class Call(Contestant):
    """A function without arguments, and a check of its answer."""

    def __init__(self, name: str, call: Callable[[], Any], check: Callable[[Any], Any]):
        self.name, self.call, self.check = name, call, check

    def refusal(self, graph: Any) -> str:
        return ""

    def solve(self, native: Any) -> Any:
        return self.call()

    def outcome(self, native: Any, answer: Any) -> None:
        if not self.check(answer):
            raise BoruvkaError("wrong: the answer is not the expected one")


def compare(what: str, against: str, graph: Any, scheme: Scheme, *calls: Call) -> dict[str, Any]:
    """Time ours and another function in turn; "times" is how many times as long it takes, in the median."""
    plan = Plan(calls, scheme=scheme, in_process=True)
    rows = times_of([race(what, graph, plan, show, Reference(0, 0, 0, None))])
    ms = {row["contestant"]: row["median ms"] for row in rows}
    errors = {f"{name} error": row["error"] for name, row in zip(("our", "their"), rows, strict=True)}
    return {
        "what": what,
        "against": against,
        "boruvka ms": ms[OURS],
        "other ms": ms[OTHER],
        "times": ratio(ms[OTHER], ms[OURS]),
        **errors,
    }
