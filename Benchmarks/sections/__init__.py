"""The sections of the benchmarks; each has a `run(options)` that returns rows for the report."""
