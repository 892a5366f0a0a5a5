"""Drafts by language model, a person decides on each: metrics, scenarios, their variants, interpretive clauses."""
