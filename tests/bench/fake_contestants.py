"""Contestants that behave in one way each, and results to show; imported by worker processes."""

import os
import signal

from boruvka.bench.contestants.contestant import Contestant, Outcome, fingerprint
from boruvka.bench.contestants.kruskal import ArgsortKruskal
from boruvka.bench.results import Entry, GraphResult, Results, RoundResult, Step
from boruvka.errors import GraphError


class Right(ArgsortKruskal):
    """Solves."""

    name = "right"
    parallel = True


class Greedy(Right):
    """Answers with one edge too many, but not in its first solve."""

    name = "greedy"
    solves = 0

    def outcome(self, native, answer):
        self.solves += 1
        edges, weight, _ = super().outcome(native, answer)
        return Outcome(edges + (self.solves > 1), weight)


class Light(Right):
    """Answers with another weight."""

    name = "light"

    def outcome(self, native, answer):
        edges, weight, _ = super().outcome(native, answer)
        return Outcome(edges, weight + 1)


class Shifted(Right):
    """Answers with other edges of the right number and weight."""

    name = "shifted"

    def outcome(self, native, answer):
        edges, weight, _ = super().outcome(native, answer)
        return Outcome(edges, weight, fingerprint(answer + 1))


class Raising(Right):
    """Cannot convert."""

    name = "raising"

    def prepare(self, graph):
        raise GraphError("this graph cannot be converted")


class Faulty(Right):
    """Has a bug."""

    name = "faulty"

    def solve(self, native):
        return {}["nothing"]


class Dying(Right):
    """Is killed."""

    name = "dying"

    def solve(self, native):
        print("no room left", flush=True)
        os.kill(os.getpid(), signal.SIGKILL)


class Picky(Contestant):
    """Takes nothing."""

    name = "picky"
    largest = 1

    def prepare(self, graph):
        raise NotImplementedError

    def solve(self, native):
        raise NotImplementedError

    def outcome(self, native, answer):
        raise NotImplementedError


def sample_results(weight=12.5, sizes=(1000, 2000, 4000)):
    """Make results as a measurement would."""
    rounds = (
        RoundResult("all", 100, 900, (Step("offer", 0.25, 5e8), Step("hook", 0.125, None))),
        RoundResult("all", 10, 90, (Step("offer", 0.0625, 1e6),)),
    )

    def graph(m):
        limits = tuple(
            Entry(name, "", threads, 0.0, 0, (0.01, 0.01), 1, 0.01, 0.0, True, 0)
            for name in ("streaming", "random-access")
            for threads in (1, 2)
        )
        entries = (
            Entry("boruvka", "0.1.0", 1, 0.0, 0, (0.5, 0.51, 0.52), 1, 0.5, 0.04, True, 8 * m, rounds),
            Entry("boruvka", "0.1.0", 2, 0.0, 0, (0.25, 0.5), 1, 0.25, None, False, None, rounds),
            Entry("scipy", "1.17.1", 1, 1.5, 10**6, (7.5, 7.6), 1, 7.5, 0.01, True, 99),
            Entry("<b>&", "", 1, error="wrong: 3 edges, the forest has 4"),
        )
        left_out = {"networkx": "more than 200,000 edges"}
        return GraphResult(
            f"random:n={m // 8},m={m},seed=1",
            m // 8,
            m,
            "float32",
            12 * m,
            99,
            weight,
            limits,
            entries,
            left_out,
        )

    return Results(
        {"processor": "an abacus", "cores": "2"},
        {"python": "3.11"},
        {"name": "k-best", "runs": 5, "within": 0.05},
        True,
        tuple(graph(m) for m in sizes),
    )
