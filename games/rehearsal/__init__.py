"""A rehearsal for nothing: seeded replies, faults on purpose, and a server that speaks both."""
