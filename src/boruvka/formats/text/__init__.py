"""Text formats, one module each; ``lines`` holds their shared code."""
