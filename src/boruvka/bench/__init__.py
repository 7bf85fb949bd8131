"""The benchmark harness: contestants solve the same graphs in turn, and every answer is checked."""
