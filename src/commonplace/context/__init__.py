"""What a model reads: recalled memories as fenced, labelled, budgeted data."""
