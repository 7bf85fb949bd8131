from boruvka.forest.round_log import Round
from experiments.common.rank_results import parts_of


def test_distribution_has_all_of_its_phase():
    rounds = [
        Round("distribute", 9, 9, {"distribute": 1.0, "communicate": 2.0}, [], {}),
        Round("round", 9, 9, {"select": 4.0, "communicate": 8.0}, [], {}),
        Round("round", 3, 3, {"propose": 16.0, "relabel": 32.0, "filter": 64.0, "ponder": 128.0}, [], {}),
    ]
    assert parts_of(rounds) == {
        "distribution": 3.0,
        "selection": 20.0,
        "communication": 8.0,
        "merging": 32.0,
        "reduction": 64.0,
    }
