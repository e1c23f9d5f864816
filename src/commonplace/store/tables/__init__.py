"""The ports, written once against ``statements.Connection``."""
