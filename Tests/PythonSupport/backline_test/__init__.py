"""What the tests and benchmarks in Python share: processes, and an installation of Backline."""

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
