"""Operators on an NVIDIA GPU; everything that imports GPU packages is in this package."""
