"""What experiments share: the command line, the race, graphs of roads, counters, figures."""
