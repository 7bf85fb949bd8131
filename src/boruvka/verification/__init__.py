"""The check of forests, apart from all that makes them.

A forest that a solver, a stream or an update has found is checked by code that none of these uses. The room
imports no solver, no operator, no query of forests and no sort of a backend, and a test checks this. It reads
weights as the graph gives them, and compares them directly. With the solvers it shares what the graph is
(arrays, names, distances of points), and the order of points in a kd-tree, on which only its speed depends.
"""
