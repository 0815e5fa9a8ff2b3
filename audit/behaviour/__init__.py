"""What players do: deterministic measures of recorded play, and what play is worth."""
