"""What others need to test against us: the conformance suite, a stopped clock, a scripted language model."""
