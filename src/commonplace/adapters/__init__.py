"""Adapters for other frameworks. Each module imports its framework, which has to be installed separately."""
