"""Speeds that documents state: each is in a table that `lab tables` makes, or names where it was measured."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MADE_ELSEWHERE = (
    "decisions",
    "literature.md",
    "scale.md",
    "measuring.md",
    "api",
    "_static",
    "_templates",
    "project",
)
"""Decisions have a line with date and machine; tables of the literature are made by the lab."""
NUMBER = (
    r"(?:\d[\d.,]*|half an?|one|two|three|ten|twice|many|a hundred)"
    r"(?: (?:to|or|and) (?:\d[\d.,]*|two|three))?"
)
SPEED = re.compile(
    rf"(?<![\w.,]){NUMBER} (?:milli|micro)?seconds?\b|(?<![\w.,])\d[\d.,]*(?: to \d[\d.]*)? m?s\b|"
    rf"(?<![\w.,]){NUMBER}(?: times)? as (?:fast|long)\b"
)
WHERE = re.compile(
    r"\b(cores?|threads?|processors?|GPU|H100|ranks?|workers?|Xeon|EPYC)\b|lab/README|"
    r"every five|after half a second|longer than half a second"  # what a program does, not how long it takes
)
POINTS = re.compile(r"\bpoints\b")
DIMENSION = re.compile(r"\b(plane|dimensions?|coordinates|[2-9]-D|haversine)\b")
PAGES = [
    ROOT / "README.md",
    *(
        path
        for path in sorted((ROOT / "docs").rglob("*.md"))
        if not any(part in path.relative_to(ROOT).as_posix() for part in MADE_ELSEWHERE)
    ),
]


def paragraphs(text):
    """Yield paragraphs, each with the one before it if it is a table or a list: that says where."""
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    text = re.sub(r"<!-- table.*?end of table -->", "", text, flags=re.S)
    before = ""
    for paragraph in re.split(r"\n\s*\n", text):
        is_continued = paragraph.lstrip().startswith(("|", "-"))
        yield paragraph, before + paragraph if is_continued else paragraph
        before = before + paragraph if is_continued else paragraph


def unfounded(text):
    """List speeds without a machine, and those of points without a dimension."""
    found = []
    for paragraph, context in paragraphs(text):
        for speed in SPEED.finditer(paragraph):
            sentence = re.split(r"(?<=[.:]) ", paragraph[: speed.end()])[-1]
            if not WHERE.search(context):
                found.append(f"{speed[0]!r} names no machine: {paragraph[:80]}")
            elif POINTS.search(sentence) and "seconds" in speed[0] and not DIMENSION.search(context):
                found.append(f"{speed[0]!r} names no dimension of the points: {paragraph[:80]}")
    return found


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_speeds_name_where_they_were_measured(page):
    assert not unfounded(page.read_text(encoding="utf-8"))


def test_promises_are_found():
    assert unfounded("All of them are one solve, many times as fast as a loop.")
    assert unfounded("A million points take two seconds on 2 cores.")
    assert unfounded("Ten million edges take 3 s.")
    assert not unfounded("A million points in the plane take two seconds on 2 cores.")
    assert not unfounded("On two cores:\n\n| graph | time |\n|---|---|\n| small | 0.2 ms |")
