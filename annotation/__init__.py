"""Asking people: Label Studio tasks out, exports in."""
