"""The harness: graphs, contestants, workers, turns, results."""
