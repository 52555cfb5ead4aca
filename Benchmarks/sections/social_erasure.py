"""Somebody with very many followers is erased: how long a transaction of it takes."""

import json
import statistics
import time

from harness.client import Connection, signed_in
from harness.lock_holds import LockHolds
from harness.report import Row, number
from harness.social_installation import SocialInstallation
from harness.steady_process import Span
from harness.steady_syncs import SteadySyncs
from harness.timing import percentile

from .erasure import judged, wait_for_zero

SECTION = "social"
MOST_MS = 20
# Half of all people follow this one.
ERASED = 1


def erasure(installation: SocialInstallation) -> list[Row]:
    """No program of the installation may run."""
    plan = installation.plan
    followers = installation.value("SELECT COUNT(*) FROM follows WHERE followed = ?", installation.key_of(ERASED))
    traced = LockHolds(installation)
    # What the gateway does at its start.
    time.sleep(3)
    gateway = Connection(installation.address)
    with SteadySyncs(installation.database_path) as disk:
        began = time.monotonic()
        token = plan.token(ERASED)
        gateway.send(
            "DELETE", "/v1/me", json.dumps({"username": plan.username(ERASED), "token": token}).encode(),
            signed_in(token), (204,))
        answered = time.monotonic() - began
        wait_for_zero(gateway, "backline_erasures_unfinished")
        ended = time.monotonic()
    gateway.close()
    installation.stop_programs()
    holds = [hold for hold in traced.read() if began <= hold.statements.began <= ended]
    steps = [hold.statements for hold in holds if not hold.is_checkpoint]
    target, rule = judged(steps, disk.spans, MOST_MS, "a step")
    values = [step.milliseconds for step in steps]
    whole = [(hold.ended - hold.statements.began) * 1_000 for hold in holds if not hold.is_checkpoint]
    checkpoints = [Span(hold.statements.began, hold.ended).milliseconds for hold in holds if hold.is_checkpoint]
    return [
        Row(SECTION, f"erasing somebody with {followers:,} followers: the longest step's statements", max(values), "ms",
            **target,
            note=f"all transactions of the gateway meanwhile, without their syncs: {len(values):,}, median "
            f"{number(statistics.median(values))} ms, p99 {number(percentile(values, 99))} ms; the disk's own slowest "
            f"sync took {number(max(disk.milliseconds))} ms; {rule}"),
        Row(SECTION, "the same with its syncs, p99", percentile(whole, 99), "ms",
            note=f"the longest took {number(max(whole))} ms"
            + (f"; {len(checkpoints):,} checkpoints took up to {number(max(checkpoints))} ms" if checkpoints else "")),
        Row(SECTION, "until DELETE /v1/me is answered", answered, "s", note="it waits for 10 s at most"),
        Row(SECTION, "until the last row is gone", ended - began, "s"),
    ]
