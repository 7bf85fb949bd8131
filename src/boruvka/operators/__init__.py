"""Operators, which backends run: plain Python functions of one edge or component, index first, then arrays."""
