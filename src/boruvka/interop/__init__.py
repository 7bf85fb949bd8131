"""To other libraries and from them; each library is imported when a function first needs it."""
