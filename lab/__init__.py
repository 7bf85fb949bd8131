"""Everything that measures: one harness, one registry of measurements, and their results.

``python -m lab`` lists the measurements. This folder is not in the wheel; it runs from a checkout.

- `harness`: contestants take turns, in processes of their own; answers are checked before times count.
- `contestants`: our algorithms, other libraries, and programs that a file describes.
- `literature`: one file for each paper, one class for each of its tables and figures.
- A file for each other measurement; `__main__` lists them.
- `results`: the committed results, from which `document_tables` makes the tables of the documents.
"""
