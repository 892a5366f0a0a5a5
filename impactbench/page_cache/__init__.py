"""Keeps finished public pages, so that most visits cost neither a query nor a template (docs/operating.md)."""
