"""Whole processes: Python programs that take turns, and print what they measured of themselves."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import Any

from boruvka.errors import BoruvkaError
from lab.harness.turns import Show

MEASURED = r"""
import json, re, sys, time
from pathlib import Path
def measured(begin, forest=None, **more):
    status = Path("/proc/self/status")
    peak = int(re.search(r"VmHWM:\s+(\d+)", status.read_text())[1]) / 1024 if status.exists() else None
    digest = None if forest is None else [len(forest), int(forest.edges.sum()), float(forest.weight)]
    found = {"seconds": time.perf_counter() - begin, "peak MB": peak, "forest": digest}
    print(json.dumps(found | more), flush=True)
"""
"""Defines ``measured(begin, forest)``, which a program calls with the time when its work began."""


def in_turn(
    programs: Mapping[str, Sequence[str]], runs: int, show: Show, warm: bool = True, **environment: str
) -> dict[str, list[dict[str, Any]]]:
    """Run programs in turn, each in its own process.

    Parameters
    ----------
    programs : dict of str to sequence of str
        Arguments of Python, by name. Each line that a program prints is a JSON object, one for each time
        that it did its work; if it prints none, the whole process is timed.
    runs : int
    show : callable
    warm : bool
        Run each once before, uncounted.
    **environment : str
        Variables to set.

    Raises
    ------
    BoruvkaError
        A program failed, or they found different forests.
    """
    # Without its bytecode, every process would compile its modules.
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in programs}
    for k in range(1 - warm, runs + 1):
        for name, arguments in programs.items():
            show(f"{name}, run {k}")
            begin = time.perf_counter()
            command = [sys.executable, *arguments]
            done = subprocess.run(command, env={**inherited, **environment}, capture_output=True, text=True)
            seconds = time.perf_counter() - begin
            if done.returncode:
                raise BoruvkaError(f"{name} failed:\n{done.stderr.strip()}")
            lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
            if k:
                found[name] += lines or [{"seconds": seconds, "forest": None}]
    forests = {tuple(one["forest"]) for ones in found.values() for one in ones if one["forest"]}
    if len(forests) > 1:
        raise BoruvkaError(f"the forests differ: {forests}")
    return found


def summary(ones: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the best and the median time, and the largest peak of memory, if it was measured."""
    seconds = [one["seconds"] for one in ones]
    row = {"best s": min(seconds), "median s": statistics.median(seconds), "runs": len(seconds)}
    peaks = [one["peak MB"] for one in ones if one.get("peak MB")]
    return row | ({"peak MB": round(max(peaks))} if peaks else {})
