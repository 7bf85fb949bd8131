"""Metadata of the backend, which ``import networkx`` reads; this module imports nothing."""

from __future__ import annotations

from typing import Any

SAME_ORDER = "Edges, ties and their order are those of NetworkX's stable Kruskal."
ONE_ANSWER = f"{SAME_ORDER} Where weights tie, they may differ from those of NetworkX's own function."
AFTER_CONVERSION = (
    "By priority, it runs only on a graph that another function has converted: to convert takes longer than "
    "NetworkX's search."
)

MEHLHORN = "Mehlhorn's method, 60 to 115 times as fast on large graphs; other trees where weights tie."

BRANCHING = "Thousands of times as fast on large graphs; other arcs where weights tie."

ARBORESCENCES = "maximum_branching", "maximum_spanning_arborescence", "minimum_spanning_arborescence"
COMPONENTS = "connected_components", "is_connected", "number_connected_components"
OF_KRUSKAL = (
    *("kruskal_mst_edges", "partition_spanning_tree", "maximum_spanning_edges", "maximum_spanning_tree"),
    *("minimum_spanning_edges", "minimum_spanning_tree"),
)
FUNCTIONS = {
    **dict.fromkeys(OF_KRUSKAL, SAME_ORDER),
    **dict.fromkeys(("boruvka_mst_edges", "prim_mst_edges"), ONE_ANSWER),
    **dict.fromkeys(COMPONENTS, AFTER_CONVERSION),
    **dict.fromkeys(ARBORESCENCES, BRANCHING),
    "steiner_tree": MEHLHORN,
}
"""The functions of the backend, and the text that NetworkX adds to their documentation."""


def get_info() -> dict[str, Any]:
    """Return the metadata of the backend, as the entry point ``networkx.backend_info`` requires."""
    return {
        "backend_name": "boruvka",
        "project": "boruvka",
        "package": "boruvka",
        "short_summary": "Minimum spanning forests of large graphs, exact and fast.",
        "functions": {name: {"additional_docs": text} for name, text in FUNCTIONS.items()},
    }
