"""Pages for editors."""
