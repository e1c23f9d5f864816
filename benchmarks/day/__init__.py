"""A month in the life of a fictional person, as conversations, and what a book makes of it."""
