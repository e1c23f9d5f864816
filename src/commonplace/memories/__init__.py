"""What a memory may be, and the one way in."""
