"""From print alone: what the printed numbers of a study leave open, before anyone plays again."""
