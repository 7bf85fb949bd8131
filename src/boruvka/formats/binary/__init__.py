"""Binary formats, one file each."""
