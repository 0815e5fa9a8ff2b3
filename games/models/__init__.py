"""Language models: what they are asked, what they reply, and the clients that carry it."""
