from boruvka.forest.report import format_rounds
from boruvka.forest.round_log import Round


def test_each_round_has_a_line_and_its_notes():
    rounds = (
        Round("light", 4, 3, {"propose": 0.5, "hook": 0.25}, ["one remark", "another"], {}),
        Round("heavy", 2, 1, {"filter": 1.0}, [], {"bytes": 8, "messages": 2}),
    )
    assert format_rounds(rounds) == [
        "round 1 (light): 4 components, 3 edges; propose 0.500000 s, hook 0.250000 s",
        "  one remark",
        "  another",
        "round 2 (heavy): 2 components, 1 edges; filter 1.000000 s; sent 8 bytes, 2 messages",
    ]
