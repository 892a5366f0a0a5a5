"""Benchmark and result formats, one module a source, pure Python.

A benchmark format is a module with four functions (`types.Format`):

    describe() -> FormatDescription    its name for `--format`, its title, whether its metrics run at once
    recognises(path) -> bool           whether a file or folder is its own; never raises, reads little
    find(path) -> tuple[Path, ...]     the files under `path`, one for each benchmark, sorted
    read(file) -> ReadBenchmark        one benchmark, with flags and what was skipped; raises FileProblem

A format of finished results (`result_types.ResultFormat`) has the same four; its `read` gives a ResultsFile.
A new format is a new module, listed in `evaluation/importers/registry.py`.
"""
