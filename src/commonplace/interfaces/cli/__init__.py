"""The command line. Only parses and prints: a dispatcher, one table of commands, one file per group of commands."""

from commonplace.interfaces.cli.dispatch import main

__all__ = ["main"]
