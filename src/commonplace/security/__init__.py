"""Keys, sealing, blinding, redaction and fences: what protects text from readers of the raw files."""
