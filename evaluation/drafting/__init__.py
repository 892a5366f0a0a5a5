"""Drafts by language model in the database: what is asked, kept, decided by people, and told in a table."""
