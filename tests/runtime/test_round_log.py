from boruvka.runtime import round_log
from boruvka.runtime.round_log import RoundLog


def test_rounds_are_recorded_as_they_happen(monkeypatch):
    times = iter([1.0, 1.5, 2.0, 2.25, 3.0, 4.0])
    monkeypatch.setattr(round_log.time, "perf_counter", lambda: next(times))
    seen = []
    log = RoundLog(lambda round_: seen.append((round_.phase, round_.n_components, round_.edges)))
    log.begin("light", 5, 7)
    for name in ("propose", "hook", "propose"):
        with log.step(name):
            pass
    log.note("a remark")
    log.begin("heavy", 2, 3)
    assert seen == [("light", 5, 7), ("heavy", 2, 3)]
    assert log.rounds[0].seconds == {"propose": 1.5, "hook": 0.25}
    assert [round_.notes for round_ in log.rounds] == [["a remark"], []]
