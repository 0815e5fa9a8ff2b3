"""How far to believe it: verdicts, numbers, estimates, claims."""
