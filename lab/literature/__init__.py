"""The tables and figures of the five papers, measured again: one file for each paper, one class for each.

`command` lists them. literature.toml holds the figures that the papers report.
"""
