"""Finds the memories, or parts of memories, that a description means, such as "what I owe Sabine"."""
