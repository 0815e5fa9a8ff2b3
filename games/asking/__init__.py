"""What a model is asked: a view or an item as chat messages, and a ruling read back strictly."""
