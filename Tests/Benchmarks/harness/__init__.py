"""What every section of the benchmarks uses: processes, HTTP, numbers and the report."""
