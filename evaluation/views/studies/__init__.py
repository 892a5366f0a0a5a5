"""Pages of studies: /studies/."""
