"""What runs when nobody asks: tidying, decay, copies in and out, keys, and a doctor. Each act is a function."""
