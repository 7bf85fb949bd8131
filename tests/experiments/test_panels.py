from experiments.common.panels import Panel, figure_of

CURVES = Panel(
    "threads",
    "ms",
    "curves",
    {"none": [], "one": [(1, 4.0), (2, 2.0)]},
    log="y",
    levels={"level": 3.0},
    ticks=(1, 2),
    shared_from=1.5,
)
BARS = Panel("ms", title="bars", stacks={"a": {"x": 1.0, "y": 2.0}, "b": {"y": 3.0}})


def test_panels_hold_the_numbers():
    figure = figure_of([CURVES, BARS, BARS], 2)
    assert [axes.get_title() for axes in figure.axes] == ["curves", "bars", "bars", ""]
    one, level = figure.axes[0].get_lines()
    assert (one.get_label(), one.get_ydata().tolist()) == ("one", [4, 2])
    assert one.get_color() != figure_of([BARS], 1).axes[0].patches[0].get_facecolor()
    assert level.get_ydata() == [3.0, 3.0]
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == ["1", "2"]
    assert [bar.get_width() for bar in figure.axes[1].patches] == [1, 0, 2, 3]
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels == ["one", "level", "shared processors", "x", "y"]
    assert not figure.axes[3].axison
