"""The rules: pure; no clock, no network, no player."""
