"""The disk's own pace: a file of its own grows by one synced page after the other, as the database's log does."""

import os
import sys

from harness.steady_process import SteadyProcess, repeat_until_told

# Between two syncs. It is far below the stalls that it has to see, and adds little to the disk's work.
PAUSE_SECONDS = 0.02
PAGE_BYTES = 4_096
# Then it begins anew, as the log does after a checkpoint.
LONGEST_BYTES = 512 << 10


class SteadySyncs(SteadyProcess):
    """Syncs a new file in the folder of `path`, which it removes afterwards: on the same disk, without any lock."""

    def __init__(self, path: str):
        super().__init__("steady_syncs", os.path.join(os.path.dirname(os.path.abspath(path)), "steady-syncs"))


def sync_until_told(path: str) -> None:
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        page = bytes(PAGE_BYTES)
        size = 0

        def sync() -> None:
            nonlocal size
            if size == LONGEST_BYTES:
                os.ftruncate(file, 0)
                size = 0
            # A sync of a longer file also writes the file system's journal, which waits for others' writes.
            size += os.pwrite(file, page, size)
            os.fdatasync(file)

        repeat_until_told(sync, PAUSE_SECONDS)
    finally:
        os.close(file)
        os.unlink(path)


if __name__ == "__main__":
    sync_until_told(sys.argv[1])
