"""The book for a process that lives for some tens of milliseconds: no numpy, a quick start, recall by words."""
