"""Kill -9 in a write storm, and a crowd on one book: what was acknowledged must be there."""
