"""What people's labels of a sample make of the numbers that the arbiter's rulings gave."""
