"""What pages, letters and analyses of studies read."""
