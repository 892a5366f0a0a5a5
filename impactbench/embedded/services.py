"""The services a lease may ask for, and the error that says why one is not there."""

import enum


class Service(enum.Enum):
    """A server that `join` starts or joins; the value is its name on the supervisor's socket."""

    POSTGRES = "postgres"
    VALKEY = "valkey"
    LANGUAGE_MODEL = "language_model"


class EmbeddedServerError(Exception):
    """A server cannot be had; the text is one sentence for the user."""


class ServerDied(EmbeddedServerError):
    """A server ended while it was starting; another try may succeed."""
