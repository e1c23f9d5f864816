"""What each language gives to the rules: patterns and words. Data; nothing compiles here."""
