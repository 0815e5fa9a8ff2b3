"""Judges put to recorded dialogues: a panel as data, asked live or in batches, resumable."""
