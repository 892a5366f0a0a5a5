"""A release as files for programs: the items of the REST API, whole, in the formats that analysts read."""
