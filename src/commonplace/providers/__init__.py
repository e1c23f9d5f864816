"""Minds outside: what turns text into vectors (`embed`) and what answers a prompt (`llm`)."""
