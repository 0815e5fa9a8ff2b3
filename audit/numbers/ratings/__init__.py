"""Ratings under many readings at once: side by side, over resamples, and without an order.

``lanes`` walks Elo for thousands of specifications side by side; ``tournaments`` does so for every
sequence of resampled tournaments.
"""
