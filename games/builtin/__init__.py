"""The built-in players and arbiter: a floor and a ceiling to read models against."""
