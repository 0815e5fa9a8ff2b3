"""Printed claims and what may be said of them."""
