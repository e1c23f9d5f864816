"""A project's Markdown files: written ahead of the work, read again after a compaction, kept in step with the book."""
