"""Binary formats, one module each."""
