"""Builds the page for a model's prompt: recalled memories as fenced, labelled data within a token budget."""
