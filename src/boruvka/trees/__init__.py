"""Output: forests, exact sums, verification, single linkage, and the log of rounds."""
