"""The report of a release: the tables of the paper's section 4, from any release or any table of judgments."""
