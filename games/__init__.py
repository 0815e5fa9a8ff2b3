"""Who says what to whom: studies, rules, players, traces."""
