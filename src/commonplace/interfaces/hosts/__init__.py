"""Coding agents that Commonplace is set up for: their settings files, edited without disturbing what others wrote."""
