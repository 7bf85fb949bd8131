"""The command line: a module for each command, or for a few small ones, which is imported when it runs."""
