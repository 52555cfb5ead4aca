"""What the command line asks of all sections."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Options:
    # Fewer jobs and rounds: to see that all works, not to quote numbers.
    quick: bool
    # Where the databases of the measurements lie; it must be on a real disk.
    folder: Path
    # The Python that has the peers.
    peers_python: Path
    # Of the database that somebody leaves.
    database_mb: int = 2_000
