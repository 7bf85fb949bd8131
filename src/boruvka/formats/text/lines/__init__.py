"""Lines of numbers: read into arrays on every core, with errors that name the line, and written."""
