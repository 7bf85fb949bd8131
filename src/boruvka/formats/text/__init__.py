"""Text formats, one module each; ``lines`` holds what they share."""
