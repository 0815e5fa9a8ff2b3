"""One file per figure that the README or METHODS quote, with the command that makes it."""
