"""Forms of the portal that are more than the text of a submission."""
