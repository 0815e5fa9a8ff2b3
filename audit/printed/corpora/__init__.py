"""Corpora of matches that print allows: sampled, searched, and set against what is printed."""
