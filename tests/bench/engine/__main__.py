"""`python -m tests.bench.engine`."""

from tests.bench import engine

engine.main()
