"""Backups: the whole database and every sent file as one folder, and a platform made anew from it."""
