"""The measuring instrument: contestants solve the same graphs in turn, and every answer is checked."""
