"""HIDDEN SIGNAL as an experiment: series of rounds, notes between them, and what is put on disk."""
