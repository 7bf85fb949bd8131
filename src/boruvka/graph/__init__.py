"""Input: graphs as edge lists, matrices, points, or arrays on a GPU."""
