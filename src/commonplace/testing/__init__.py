"""Tools for tests: the conformance suite, a stopped clock, a scripted language model."""
