"""Commonplace in the shapes of other frameworks. Each module imports its framework; install that yourself."""
