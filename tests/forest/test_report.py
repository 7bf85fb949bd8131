from boruvka import Graph
from boruvka.forest.forest import Forest
from boruvka.forest.report import format_log
from boruvka.forest.round_log import Round


def test_a_log_has_a_line_for_each_round_and_note():
    rounds = (
        Round("light", 4, 3, {"propose": 0.5, "hook": 0.25}, ["one remark", "another"]),
        Round("heavy", 2, 1, {"filter": 1.0}, sent={"bytes": 8, "messages": 2}),
    )
    graph = Graph(4, [0, 1, 0], [1, 0, 2], [1, 2, 3])
    forest = Forest(graph, graph.u[:2] * 2, False, "boruvka", "threads", 2, rounds, 1.5)
    assert format_log(forest) == (
        "boruvka on threads, 2 threads\n"
        "4 vertices, 3 edges\n"
        "round 1 (light): 4 components, 3 edges; propose 0.500000 s, hook 0.250000 s\n"
        "  one remark\n"
        "  another\n"
        "round 2 (heavy): 2 components, 1 edges; filter 1.000000 s; sent 8 bytes, 2 messages\n"
        "2 edges in 1.500000 s\n"
        "warning: the graph is disconnected, it has 2 components\n"
    )
