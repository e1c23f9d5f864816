"""What text is made of: words, names, dates, sentences, normal forms. Pure; knows no store and no model."""
