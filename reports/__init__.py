"""What to say, and the command line."""
