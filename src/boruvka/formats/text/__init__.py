"""Text formats, one file each."""
