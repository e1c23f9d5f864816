"""A project's Markdown notes for agents: written during work, read after a compaction, synchronised with the book."""
