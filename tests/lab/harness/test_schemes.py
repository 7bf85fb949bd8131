import pytest

from lab.harness.schemes import Confidence, KBest


def test_k_best_takes_the_best_of_three_that_are_close():
    scheme = KBest()
    samples = [1.04, 2.0, 1.0, 1.5, 1.03]
    estimate = scheme.estimate(samples)
    assert (estimate.seconds, estimate.converged) == (1.0, True)
    assert estimate.spread == pytest.approx(0.04)
    assert scheme.enough(samples)
    assert not scheme.enough(samples[:4])
    assert not scheme.enough([])


def test_k_best_stops_unconverged():
    far = [2.0**i for i in range(40)]
    assert KBest(seconds=1e99).enough(far)
    assert not KBest(seconds=1e99).enough(far[:-1])
    assert not KBest().estimate(far).converged
    assert KBest().enough([61.0])
    assert KBest().estimate([61.0]).spread is None


@pytest.mark.needs("scipy")
def test_confidence_is_students_interval():
    from scipy import stats  # slow to import, and needed here only

    samples = [1.0, 1.1, 0.9, 1.05, 0.95, 1.0, 1.02, 0.98, 1.0]
    estimate = Confidence().estimate(samples)
    low, high = stats.ttest_1samp(samples, 0).confidence_interval(0.90)
    assert estimate.seconds == pytest.approx((low + high) / 2)
    assert estimate.spread == pytest.approx((high - low) / 2 / estimate.seconds)
    assert estimate.converged
    assert Confidence().enough(samples)
    assert not Confidence().enough(samples[:-1])
