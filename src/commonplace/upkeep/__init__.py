"""Background work: tidying, decay, copies in and out, keys, and a doctor. Each act is a function."""
