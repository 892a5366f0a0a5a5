"""Analyses of studies as tables for reading, made once for the pages of those who run them and for public pages."""
