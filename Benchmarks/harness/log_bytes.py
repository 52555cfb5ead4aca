"""How much a transaction adds to the database's log, from the header of the log's index.

https://sqlite.org/walformat.html, section 2.1: the index is shared memory in the byte order of the machine.
"""

import struct
from dataclasses import dataclass

# Of the header: the size of a page, the number of frames, and the salts of the log, which change when it begins again.
HEADER = struct.Struct("=IIIBBHIIIIIIII")
PAGE_BYTES, FRAMES, SALTS = 5, 6, slice(10, 12)
FRAME_HEADER_BYTES = 24


@dataclass(frozen=True)
class LogPosition:
    """The end of the log at a moment."""

    frames: int
    frame_bytes: int
    salts: tuple[int, ...]

    @staticmethod
    def of(path: str) -> "LogPosition":
        """`path` is that of a database that a process has open."""
        with open(f"{path}-shm", "rb", buffering=0) as file:
            while True:
                content = file.read(2 * HEADER.size)
                # The header is there twice, and differs while it is written.
                if content[:HEADER.size] == content[HEADER.size:]:
                    break
                file.seek(0)
        values = HEADER.unpack(content[:HEADER.size])
        return LogPosition(values[FRAMES], values[PAGE_BYTES] + FRAME_HEADER_BYTES, values[SALTS])

    def bytes_since(self, earlier: "LogPosition") -> int:
        # A log that was written into the database begins with its first frame again.
        before = earlier.frames if earlier.salts == self.salts else 0
        return (self.frames - before) * self.frame_bytes
