"""All measurements: `make bench`."""

from tests.bench import browser, coverage, engine, neighbours, site, statistics

statistics.main()
coverage.main([])
neighbours.main()
engine.main()
site.main()
browser.main()
