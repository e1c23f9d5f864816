"""From what was said to what is believed: rules, a language model if there is one, and the decision what to do."""
