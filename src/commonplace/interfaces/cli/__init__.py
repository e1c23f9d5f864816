"""The command line. Parsing and printing only: a dispatcher, one table of commands, one file per group of them."""

from commonplace.interfaces.cli.dispatch import main

__all__ = ["main"]
