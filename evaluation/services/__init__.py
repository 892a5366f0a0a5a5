"""What can be done: each module is the only way to change its noun's state."""
