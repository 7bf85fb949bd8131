"""Results: trees of a graph, the questions that forests answer, and the functions that find trees."""
