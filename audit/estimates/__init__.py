"""What the paper tabulates, from counts, whoever counted."""
