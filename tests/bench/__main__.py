"""All measurements: `make bench`."""

from tests.bench import engine

engine.main()
