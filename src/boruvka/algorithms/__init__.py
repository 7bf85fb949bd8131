"""The algorithms: the default three, `dense`, and the registry that says when to use which."""
