"""Pages of reviewers."""
