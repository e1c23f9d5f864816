"""Forgetting and correcting by description: cases that try to confuse it, each with what must stay."""
