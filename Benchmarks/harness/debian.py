"""Programs of Debian's packages: the system's, or those that `scripts/bench-peers` unpacked into `.bench/debian`."""

import shutil
from pathlib import Path

from .processes import REPOSITORY, BenchmarkError

PRIVATE = REPOSITORY / ".bench" / "debian"


def executable(name: str) -> str:
    """The path of a program such as `redis-server`."""
    private = PRIVATE / "usr" / "bin" / name
    found = str(private) if private.exists() else shutil.which(name)
    if found is None:
        raise BenchmarkError(f"{name} is missing: run scripts/bench-peers, which brings it.")
    return found


def environment() -> dict[str, str]:
    """The environment with which unpacked programs find their libraries, and Ruby its gems."""
    variables: dict[str, str] = {}
    if libraries := [str(path) for path in (PRIVATE / "usr" / "lib").glob("*-linux-gnu")]:
        variables["LD_LIBRARY_PATH"] = ":".join(libraries)
    gems = PRIVATE / "usr" / "share" / "rubygems-integration" / "all"
    if gems.exists():
        variables["GEM_PATH"] = f"{gems}:/usr/share/rubygems-integration/all"
    if standard := sorted((PRIVATE / "usr" / "lib").glob("ruby/[0-9]*")):
        native = (PRIVATE / "usr" / "lib").glob("*-linux-gnu/ruby/[0-9]*")
        vendor = PRIVATE / "usr" / "lib" / "ruby" / "vendor_ruby"
        variables["RUBYLIB"] = ":".join(map(str, [*standard, *native, vendor]))
    return variables


def postgresql_folder() -> Path:
    """The programs of the newest PostgreSQL."""
    for root in (PRIVATE, Path("/")):
        folders = [path for path in (root / "usr" / "lib" / "postgresql").glob("*/bin") if (path / "postgres").exists()]
        if folders:
            return max(folders, key=lambda path: int(path.parent.name))
    raise BenchmarkError("PostgreSQL is missing: run scripts/bench-peers, which brings it.")
