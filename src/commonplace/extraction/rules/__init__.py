"""What a turn teaches, without a model: tables of patterns per language, and what is made of a match."""

from commonplace.extraction.rules.build import Said, candidates

__all__ = ["Said", "candidates"]
