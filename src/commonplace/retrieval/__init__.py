"""What is found: lexical, vector and graph candidates, fused, ranked and explained."""
