"""Words, names, dates, sentences and normal forms of text. Pure; uses no store and no model."""
