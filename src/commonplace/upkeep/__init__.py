"""Maintenance: pruning, decay, merging, indexes, keys, and the doctor. Each act is a function."""
