"""Runs studies by machine: plans a run for each condition, starts them, and has an auditor read what they held."""
