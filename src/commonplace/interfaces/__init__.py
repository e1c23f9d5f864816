"""Doors into the book: they parse, make one call, and render."""
