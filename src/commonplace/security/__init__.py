"""Keys, encryption, keyed hashes, redaction and fences: protects text from readers of the raw files."""
