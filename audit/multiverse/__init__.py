"""How much of a rating is the rating scheme: every reasonable choice, and what each moves."""
