"""What every other package may use: checked arguments, optional libraries, processors, progress."""
