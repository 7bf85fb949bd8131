from boruvka.bench.figures import figures_of

from .fake_contestants import sample_results

RESULTS = sample_results()


def test_figures_hold_the_numbers():
    drawn = dict(figures_of(RESULTS))
    assert len(drawn) == 1 + 2 * 3
    assert next(iter(drawn)) == "curve-random-float32-seed-1"
    curve, times, steps, *_ = drawn.values()
    lines = {line.get_label(): line for line in curve.axes[0].get_lines()}
    assert set(lines) == {
        *(f"{name}, {k}" for name in ("boruvka", "streaming", "random-access") for k in (1, 2)),
        "scipy, 1",
    }
    assert lines["boruvka, 1"].get_xdata().tolist() == [1000, 2000, 4000]
    assert lines["boruvka, 1"].get_ydata().tolist() == [5e5, 2.5e5, 1.25e5]
    assert [bar.get_width() for bar in times.axes[0].patches] == [250, 500, 7500]
    widths = [bar.get_width() for bar in steps.axes[0].patches]
    assert widths == [312.5, 312.5, 125, 125, 62.5, 0]
