"""The same book on several machines. See docs/sync.md."""
