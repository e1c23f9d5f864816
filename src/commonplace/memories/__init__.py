"""Memories and their rules; `gateway` is the only module that writes beliefs."""
