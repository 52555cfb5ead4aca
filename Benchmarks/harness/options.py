"""The options of the command line for all sections."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Options:
    # Fewer jobs and rounds, to check that the sections work. The numbers are not meaningful.
    quick: bool
    # Where the databases of the measurements lie; it must be on a real disk.
    folder: Path
    # The Python with the peers' packages.
    peers_python: Path
    # The size of the database in the section on erasure.
    database_mb: int = 2_000
    # Source tracks of the largest library that the section on libraries deduplicates.
    library_tracks: int = 1_000_000
    # Whether the section on identity writes its scorecard into docs/identity.md.
    writes_scorecard: bool = False
    # People of the sections social and messages.
    people: int = 100_000
