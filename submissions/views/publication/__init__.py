"""Pages on publishing, new versions, what readers say, and copies of a submission."""
