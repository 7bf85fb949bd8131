from boruvka.bench.memory import time_and_peak


def test_peak_of_memory():
    def work():
        return sum(bytearray(50_000_000)[::1_000_000])

    result, seconds, peak = time_and_peak(work)
    assert result == 0
    assert seconds > 0
    assert peak is None or 40_000_000 < peak < 80_000_000
    assert time_and_peak(lambda: 1)[2] in (None, *range(5_000_000))
