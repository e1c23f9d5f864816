"""All cases: those that the rules were written with, and those that were written after."""

from benchmarks.description.first import CASES as FIRST

CASES = FIRST
