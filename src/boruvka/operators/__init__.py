"""Plain Python functions of one edge or one component, index first, arrays after: what backends run."""
