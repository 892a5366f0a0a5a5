"""Pages for readers without an account."""
