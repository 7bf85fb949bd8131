"""Generated inputs: odd objects for every entrance."""
