"""The world: players, arbiter, time, files."""
