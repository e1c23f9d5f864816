"""Keys, sealing, blinding, redaction and fences: what stands between a text and whoever reads the raw files."""
