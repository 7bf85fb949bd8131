"""What the literature measured, measured again: one file for each table or figure. See README.md."""
