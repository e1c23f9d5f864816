"""The interfaces of the book: they parse, make one call, and render."""
