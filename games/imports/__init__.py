"""Anyone's transcripts as traces: a map says what stands where, the rules do the rest."""
