"""The seven strategies of Anzalone et al. (ETH Zürich), to compare with the default."""
