"""Output: forests, exact sums, verification, linkage, and the log of rounds."""
