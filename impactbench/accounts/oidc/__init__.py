"""Signing in with OpenID Connect (ORCID): the library's provider, with every check that the standard knows."""
