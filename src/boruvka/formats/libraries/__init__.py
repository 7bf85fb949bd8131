"""Formats that are read by other libraries."""
