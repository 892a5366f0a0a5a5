"""All measurements: `make bench`."""

from tests.bench import engine, statistics

statistics.main()
engine.main()
