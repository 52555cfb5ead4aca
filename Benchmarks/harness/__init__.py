"""Shared by all sections of the benchmarks: processes, HTTP, numbers and the report."""
