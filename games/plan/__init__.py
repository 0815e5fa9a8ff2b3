"""What a run will come to before any of it is played: calls, tokens, cost, time, kinship."""
