"""Contestants that behave in one way each; imported by worker processes."""

import os
import signal
import time

from boruvka import minimum_spanning_forest
from boruvka.errors import GraphError
from lab.harness.contestant import Contestant, Outcome, fingerprint


class Right(Contestant):
    """Solves."""

    name = "right"
    parallel = True

    def solve(self, native):
        return minimum_spanning_forest(native, threads=1).edges

    def outcome(self, native, answer):
        return Outcome.of(native.w[answer])


class Greedy(Right):
    """Answers with one edge too many, but not in its first solve."""

    name = "greedy"
    solves = 0

    def outcome(self, native, answer):
        self.solves += 1
        outcome = super().outcome(native, answer)
        return outcome._replace(edges=outcome.edges + (self.solves > 1))


class Light(Right):
    """Answers with another weight."""

    name = "light"

    def outcome(self, native, answer):
        outcome = super().outcome(native, answer)
        return outcome._replace(weight=outcome.weight + 1)


class Shifted(Right):
    """Answers with other edges of the right number and weight."""

    name = "shifted"

    def outcome(self, native, answer):
        return super().outcome(native, answer)._replace(fingerprint=fingerprint(answer + 1))


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
    parallel = False

    def solve(self, native):
        print("no room left", flush=True)
        os.kill(os.getpid(), signal.SIGKILL)


class Sleeping(Right):
    """Never ends."""

    name = "sleeping"
    parallel = False

    def solve(self, native):
        time.sleep(600)


class Picky(Contestant):
    """Takes nothing."""

    name = "picky"
    largest = 1

    def solve(self, native):
        raise NotImplementedError

    def outcome(self, native, answer):
        raise NotImplementedError
