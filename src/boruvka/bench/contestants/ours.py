"""The algorithms of this package."""

from __future__ import annotations

from importlib.metadata import version

from boruvka.bench.contestants.contestant import Contestant, Outcome, Run
from boruvka.forest.forest import Forest
from boruvka.graph.graph import Graph
from boruvka.solve import minimum_spanning_forest

__all__ = ["Ours"]


class Ours(Contestant):
    """One of our algorithms on threads, or the one that "auto" picks."""

    package = "boruvka"
    parallel = True

    def __init__(self, algorithm: str = "auto"):
        self.algorithm, self.threads = algorithm, 1
        self.name = "boruvka" if algorithm == "auto" else f"boruvka:{algorithm}"

    def version(self) -> str:  # that of the sources, installed or not
        return version("boruvka")

    def load(self, threads: int) -> None:
        self.threads = threads

    def prepare(self, graph: Graph) -> Graph:
        return graph

    def solve(self, native: Graph) -> Forest:
        return minimum_spanning_forest(native, algorithm=self.algorithm, threads=self.threads)

    def outcome(self, native: Graph, answer: Forest) -> Outcome:
        return Outcome.of(answer.w)

    def run(self, answer: Forest, seconds: float) -> Run:
        return Run((seconds,), answer.rounds)

    def traffic(self, native: Graph) -> list[dict[str, float]]:
        from boruvka.bench.memory_traffic import bytes_of_steps

        return bytes_of_steps(native, self.algorithm)
