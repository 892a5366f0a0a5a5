"""Writes what the formats read into the database, each file or folder all or nothing, and reads it back for export."""
