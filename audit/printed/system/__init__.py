"""Statements about whole numbers that print does not show, taken together."""
