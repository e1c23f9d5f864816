"""The book for processes that live for tens of milliseconds: no numpy, a fast start, recall by words."""
