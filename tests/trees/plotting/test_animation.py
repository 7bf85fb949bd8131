"""Animations: their frames, the GIF read back, and the page in a browser without a window."""

import html.parser
import io
import itertools
import json
import re

import numpy as np
import pytest
from PIL import Image, ImageColor

import boruvka
from boruvka.errors import FileError, GraphError, OptionError
from boruvka.trees.plotting.animation import _inherited, frames
from boruvka.trees.plotting.style import color_levels, component_levels
from boruvka.trees.plotting.textbook import COLORS, drawing_of
from tests.marks import long_but
from tests.trees.plotting.browser import chromium

N = 64


@pytest.fixture(scope="module")
def forest():
    """A path with the weights of a ruler: round k merges pairs of components of 2**(k - 1) vertices."""
    weights = np.array([(k & -k).bit_length() for k in range(1, N)])
    return boruvka.minimum_spanning_forest(
        (np.arange(N - 1), np.arange(1, N), weights), backend="interpreted"
    )


@pytest.fixture(scope="module")
def places():
    angle = np.linspace(0, 6, N)
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


@pytest.fixture(scope="module")
def page(forest, places, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "rounds.html"
    forest.animate(path, places)
    return path


def test_random_trees_are_refused(tmp_path):
    with pytest.raises(GraphError, match="animate is for minimum and maximum spanning forests"):
        boruvka.random_spanning_tree(([0, 1, 2], [1, 2, 3], [1, 3, 2])).animate(tmp_path / "a.gif")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("how", [{"required": [1]}, {"excluded": [0]}, {"removed": [0]}])
def test_constrained_forests_with_parallel_edges(how, tmp_path):
    """The edge of the forest is drawn, although an equal one is left out."""
    pair = boruvka.Graph(2, [0, 1], [1, 0], [5, 5])
    removed = how.pop("removed", None)
    forest = boruvka.minimum_spanning_forest(pair, **how).update(removed=removed)
    book = drawing_of(forest, None, None)
    assert (book.u.tolist(), book.v.tolist(), book.rounds.tolist()) == ([1], [0], [1])
    forest.animate(tmp_path / "a.html")


def test_frames(forest, places):
    made = frames(drawing_of(forest, places, None))
    added, components, largest = zip(*(frame.cells for frame in made), strict=True)
    assert components == (64, 32, 16, 8, 4, 2, 1)
    assert largest == (1, 2, 4, 8, 16, 32, 64)
    assert added == (0, 32, 16, 8, 4, 2, 1)
    assert made[0].caption == "Before round 1: 64 components, each a vertex"
    assert made[6].caption == "Round 6: 1 edge added, 1 component, the largest has 64 vertices"
    pictures = [np.asarray(frame.image.convert("L")) for frame in made]
    assert len({picture.shape for picture in pictures}) == 1
    first, last = (np.asarray(frame.image.convert("RGB")).reshape(-1, 3) for frame in (made[0], made[6]))
    assert np.ptp(first.astype(int), axis=1).max() < 8  # all edges are grey before round 1
    colored = last[np.ptp(last.astype(int), axis=1) > 60]
    color = color_levels()[int(component_levels(np.array([N - 1]))[0])][
        :3
    ]  # of equal parts, that of the last
    assert np.abs(colored - 255 * np.array(color)).sum(axis=1).min() < 12
    other = color_levels()[int(component_levels(np.array([0]))[0])][:3]
    assert np.abs(colored - 255 * np.array(other)).sum(axis=1).min() > 12
    ink = [int((255 - picture.astype(int)).sum()) for picture in pictures]
    assert ink[0] < ink[1]  # edges that are added are black, and were grey
    assert all((a != b).any() for a, b in itertools.pairwise(pictures))


def test_a_component_keeps_the_color_of_its_largest_part():
    colors = np.array([70, 71, 72, 73])
    before, labels = np.array([0, 0, 1, 2, 2, 2, 3]), np.array([0, 0, 0, 0, 0, 0, 1])
    assert _inherited(colors, before, labels).tolist() == [72, 73]


@pytest.mark.long
def test_gif(forest, places, tmp_path):
    forest.animate(tmp_path / "rounds.GIF", places, seconds=0.5)
    with Image.open(tmp_path / "rounds.GIF") as gif:
        assert (gif.n_frames, gif.info["duration"], gif.info["loop"]) == (7, 500, 0)
        gif.seek(6)
        assert gif.info["duration"] == 1500
    stream = io.BytesIO()
    forest.animate(stream, places, format="gif")
    assert stream.getvalue().startswith(b"GIF89a")


class Page(html.parser.HTMLParser):
    """Collects elements, and the text of scripts."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.script, self._in_script = [], "", False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self._in_script = tag == "script"

    def handle_data(self, data):
        self.script += data if self._in_script else ""


def test_the_page_is_one_accessible_file(page):
    text = page.read_text(encoding="utf-8")
    parsed = Page(text)
    assert "[[" not in re.sub(r"const frames = .*", "", text)
    for tag, attributes in parsed.elements:
        assert tag != "link"
        assert attributes.get("src", "data:").startswith("data:")
        assert "href" not in attributes
    assert not re.search(r"https?://|@import|fetch\(|XMLHttpRequest", text)
    by_id = {attributes["id"]: (tag, attributes) for tag, attributes in parsed.elements if "id" in attributes}
    assert by_id["round"][1]["type"] == "range"
    assert by_id["round"][1]["max"] == "6"
    assert ("label", {"for": "round"}) in parsed.elements
    assert by_id["picture"][1]["alt"].startswith("Before round 1")
    assert by_id["caption"][1]["aria-live"] == "polite"
    assert ("html", {"lang": "en"}) in parsed.elements
    assert text.count("<tr>") == 1 + 7
    made = json.loads(re.search(r"const frames = (.*);\n", parsed.script)[1])
    assert len({frame["picture"] for frame in made}) == 7


PROBE = """
<script>
const told = [];
function tell(what) {
  told.push([what, slider.value, picture.src === frames[Number(slider.value)].picture, picture.naturalWidth,
             caption.textContent, play.textContent, document.querySelectorAll("tr[aria-current]").length]);
}
function pause_for(time) { return new Promise((done) => setTimeout(done, time)); }
function key(name, target) { target.dispatchEvent(new KeyboardEvent("keydown", {key: name, bubbles: true})); }
window.addEventListener("load", async () => {
  tell("loaded");
  slider.value = 3; slider.dispatchEvent(new Event("input")); await pause_for(100); tell("slider");
  key("ArrowRight", document.body); tell("right");
  key("ArrowLeft", document.body); key("ArrowLeft", document.body); tell("left");
  play.click(); tell("play");
  await pause_for(150); tell("playing");
  play.click(); tell("pause");
  const paused = slider.value;
  await pause_for(150); told.push(["paused", slider.value === paused]);
  location.hash = "#6"; await pause_for(50); tell("hash");
  play.click(); tell("again");
  const result = document.createElement("pre");
  result.id = "told"; result.textContent = JSON.stringify(told); document.body.append(result);
});
</script>
"""


@pytest.mark.long
def test_the_page_in_a_browser(page, forest, places, tmp_path):
    fast = tmp_path / "fast.html"
    forest.animate(fast, places, seconds=0.1)
    fast.write_text(fast.read_text(encoding="utf-8").replace("</body>", PROBE + "</body>"), encoding="utf-8")
    done = chromium(f"--user-data-dir={tmp_path / 'profile'}", "--dump-dom", fast.as_uri())
    assert "CONSOLE" not in done.stderr, done.stderr
    found = re.search(r'<pre id="told">(.*?)</pre>', done.stdout, re.DOTALL)
    assert found, done.stdout[-2000:] + done.stderr
    told = json.loads(found[1].replace("&amp;", "&"))
    states = {what: state for what, *state in told}
    assert states["paused"] == [True]
    rounds = {what: int(state[0]) for what, state in states.items() if what != "paused"}
    assert {k: rounds[k] for k in ("loaded", "slider", "right", "left", "play", "hash", "again")} == {
        "loaded": 0, "slider": 3, "right": 4, "left": 2, "play": 2, "hash": 6, "again": 0,
    }  # fmt: skip
    assert rounds["playing"] > 2
    for what, state in states.items():
        if what != "paused":
            assert state[1] is True, what  # the picture is that of the round
            assert state[5] == 1  # one row of the table is marked
    assert states["slider"][2] > 500
    assert states["slider"][3].startswith("Round 3: 8 edges added, 8 components")
    assert [states[what][4] for what in ("loaded", "play", "pause", "hash")] == [
        "Play",
        "Pause",
        "Play",
        "Play",
    ]


def test_one_vertex(tmp_path):
    forest = boruvka.minimum_spanning_forest(([], [], [], 1), backend="interpreted")
    forest.animate(tmp_path / "a.html")
    assert "Before round 1: 1 component" in (tmp_path / "a.html").read_text(encoding="utf-8")


def test_a_page_for_a_notebook(forest, tmp_path):
    page = forest.animate(algorithm="boruvka")
    forest.animate(tmp_path / "a.html", algorithm="boruvka")
    assert page == (tmp_path / "a.html").read_text(encoding="utf-8")
    (frame,) = re.findall('<iframe srcdoc="([^"]*)" style="[^"]*"></iframe>', page._repr_html_())
    assert html.unescape(frame) == page
    assert len(repr(page)) < 100
    with pytest.raises(OptionError, match="format must be one of html"):
        forest.animate(format="gif")


def test_wrong_outputs(forest, tmp_path):
    with pytest.raises(OptionError, match=r"rounds\.mp4: an animation ends in \.gif or \.html, and"):
        forest.animate(tmp_path / "rounds.mp4")
    with pytest.raises(OptionError, match="format must be one of gif, html"):
        forest.animate(tmp_path / "rounds.gif", format="mp4")
    with pytest.raises(OptionError, match="the file: an animation ends"):
        forest.animate(io.BytesIO())
    with pytest.raises(OptionError, match=r"seconds must be a number from 0\.1 to 60"):
        forest.animate(tmp_path / "rounds.gif", seconds=0)
    with pytest.raises(FileError, match="nowhere"):
        boruvka.minimum_spanning_forest(([0], [1], [1])).animate(tmp_path / "nowhere" / "rounds.gif")


@pytest.mark.parametrize(
    "format",
    long_but(["svg", "png", "pdf"], "svg"),
)
def test_pictures_of_all_steps(tmp_path, format):
    edges = [("a", "b", 1), ("b", "c", 2), ("a", "c", 3), ("c", "d", 4)]
    forest = boruvka.minimum_spanning_forest(edges, backend="interpreted")
    sizes = []
    for only in None, [0, 2], np.array([4]):
        path = tmp_path / f"steps.{format}"
        forest.animate(path, algorithm="kruskal", only=only)
        sizes.append(path.stat().st_size)
        forest.animate(file := io.BytesIO(), algorithm="kruskal", only=only, format=format)
        assert len(file.getvalue()) > 1000
    assert sizes[0] == max(sizes)
    if format == "png":
        with Image.open(path) as picture:
            assert picture.width > 1000


def test_many_panels_have_all_colors_and_are_nearly_square(tmp_path):
    """Twelve components of the first panel of 13 have the twelve colors, exactly."""
    forest = boruvka.minimum_spanning_forest([(k, k + 1, k) for k in range(11)], backend="interpreted")
    forest.animate(path := tmp_path / "steps.png", algorithm="kruskal")
    with Image.open(path) as picture:
        colors = {color for _, color in picture.convert("RGB").getcolors(picture.width * picture.height)}
        assert colors >= {ImageColor.getrgb(color) for color in COLORS}
        assert 0.6 < picture.width / picture.height < 1.7


def test_some_steps(tmp_path):
    edges = [("a", "b", 1), ("b", "c", 2), ("a", "c", 3)]
    forest = boruvka.minimum_spanning_forest(edges, backend="interpreted")
    path = tmp_path / "steps.html"
    forest.animate(path, algorithm="kruskal", only=[2])
    assert path.read_text(encoding="utf-8").count("<tr>") == 2  # the heading and a row
    for only in [3], [-1], [], 1.5, "a", [True]:
        with pytest.raises(OptionError, match="only lists numbers of steps, from 0 to 2"):
            forest.animate(path, algorithm="kruskal", only=only)
