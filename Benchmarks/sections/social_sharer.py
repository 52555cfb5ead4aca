"""How long one person's shares and pages take beside another who shares as fast as they can: the next one as soon as
the one before is answered, without any limit.
"""

import threading
import time
from collections.abc import Callable
from pathlib import Path

from harness.client import Connection, signed_in
from harness.options import Options
from harness.processes import BenchmarkError
from harness.report import Row, number
from harness.sharing import Sharing
from harness.social_installation import SocialInstallation
from harness.timing import percentile, times
from harness.triggers import without_act_limits

from .submit import Shot, wrk

SECTION = "social"
SCRIPT = Path(__file__).with_name("share.lua")
FACTOR = 2
# They have many followers.
SHARER = 4
WARM_UP = 50


def sharer(installation: SocialInstallation, options: Options) -> list[Row]:
    seconds, turns = (2, 1) if options.quick else (6, 3)
    plan = installation.plan
    one = plan.visitors[-1]
    gateway = Connection(installation.address)
    sharing = Sharing(gateway, plan)
    songs = installation.folder / "songs.txt"
    songs.write_text("\n".join(sharing.songs))
    acts: dict[str, Callable[[], object]] = {
        "a share": lambda: sharing.share(one, sharing.body()),
        "a page of the feed": lambda: gateway.send("GET", "/v1/feed", headers=signed_in(plan.token(one))),
    }
    alone, beside = ({name: [] for name in acts} for _ in range(2))
    shots: list[Shot] = []
    with without_act_limits(installation.database_path):
        for act in acts.values():
            times(act, WARM_UP)
        for _ in range(turns):
            measure(acts, seconds, alone)
            other = Other(installation, plan.token(SHARER), songs, seconds)
            measure(acts, seconds, beside)
            shots.append(other.end())
    gateway.close()
    rate = sum(shot.per_second for shot in shots) / len(shots)
    return [
        row(name, alone[name], beside[name], f"{rate:,.0f} shares a second of the other, p99 "
            f"{number(max(shot.p99 for shot in shots))} ms")
        for name in acts]


def row(name: str, alone: list[float], beside: list[float], note: str) -> Row:
    quiet, busy = percentile(alone, 99), percentile(beside, 99)
    return Row(
        SECTION, f"{name} beside somebody who shares as fast as they can, p99", busy, "ms", busy / quiet, "alone",
        target=f"≤ {FACTOR} × alone", met=busy <= FACTOR * quiet,
        note=f"{len(beside):,} of them, p50 {number(percentile(beside, 50))} ms; alone {len(alone):,}, p50 "
        f"{number(percentile(alone, 50))} ms, p99 {number(quiet)} ms; {note}")


def measure(acts: dict[str, Callable[[], object]], seconds: int, values: dict[str, list[float]]) -> None:
    """Adds the times of the acts, which take turns for so long."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for name, act in acts.items():
            values[name] += times(act, 1)


class Other(threading.Thread):
    """Shares longer than the measurement beside it takes, from a moment before it on."""

    MORE_SECONDS, BEFORE_SECONDS = 2, 0.5

    def __init__(self, installation: SocialInstallation, token: str, songs: Path, seconds: int):
        super().__init__(daemon=True)
        self._installation, self._songs = installation, songs
        self._seconds = seconds + self.MORE_SECONDS
        self._shot: Shot | None = None
        self._failure: Exception | None = None
        installation.token = token
        self.start()
        time.sleep(self.BEFORE_SECONDS)

    def run(self) -> None:
        try:
            self._shot = wrk(self._installation, "/", self._seconds, SCRIPT, self._songs, connections=1)
        except Exception as error:  # raised by the thread that waits
            self._failure = error

    def end(self) -> Shot:
        """What it has shared."""
        self.join()
        if self._shot is None:
            raise self._failure or BenchmarkError("nobody has shared beside the measured person")
        return self._shot
