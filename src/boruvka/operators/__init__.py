"""Operators, which backends run: plain functions of one edge or component, index first, then arrays."""
