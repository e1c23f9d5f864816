"""Size and speed of the store alone, on either engine."""
