"""What each language gives to the rules: patterns, words, and what is nobody's statement. Data; nothing compiles here."""
