"""Conversion from and to the types of other libraries, which are imported when first needed."""
