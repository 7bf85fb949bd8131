"""Pictures of forests, with matplotlib (the extra ``plot``): maps, dendrograms, animations of the rounds."""
