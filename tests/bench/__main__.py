"""All measurements: `make bench`."""

from tests.bench import engine, neighbours, statistics

statistics.main()
neighbours.main()
engine.main()
