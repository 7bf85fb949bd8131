"""The contestants: our algorithms, installed libraries, and programs that a file describes."""
