"""The example benchmark and the plan of the demonstration; files, no code."""
