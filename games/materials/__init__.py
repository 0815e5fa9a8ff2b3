"""Materials read from a user's own copy of a paper or page."""
