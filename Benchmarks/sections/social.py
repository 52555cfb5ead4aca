"""Many people who follow each other and share songs: reads, feeds, follows, shares, what reaches open streams and
absent devices, and an erasure.
"""

from harness.lock_holds import strace
from harness.options import Options
from harness.prefill import bytes_on_disk
from harness.report import Row, at_most
from harness.social_installation import SocialInstallation

from .social_changes import changes
from .social_erasure import erasure
from .social_feed import feed
from .social_follows import follows
from .social_reads import reads
from .social_refusals import refusals
from .social_share_streams import share_streams
from .social_sharer import sharer
from .social_shares import share_bytes, shares
from .social_streams import streams
from .streams import allow_descriptors

SECTION = "social"
MAKING_SECONDS = 300


def run(options: Options) -> list[Row]:
    # Before anything is made.
    strace()
    with SocialInstallation(options) as installation:
        plan = installation.plan
        allow_descriptors(len(plan.listeners) + 300)
        size = bytes_on_disk(installation.database_path)
        count, items = (
            installation.value(f"SELECT COUNT(*) FROM {table}") for table in ("follows", "timeline_items"))
        most = installation.value("SELECT MAX(count) FROM (SELECT COUNT(*) AS count FROM follows GROUP BY followed)")
        rows = [
            Row(SECTION, "people who follow each other", plan.people, "people",
                note=f"{count:,} follows, {most:,} at most of one person; {items:,} items in feeds, without those of "
                f"the follows; {size / 1e6:,.0f} MB on disk"),
            Row(SECTION, "putting them into the database", installation.seconds, "s",
                **at_most(installation.seconds, MAKING_SECONDS, "s"), note="once for each schema, then it is kept"),
        ]
        rows.append(share_bytes(installation))
        installation.start_gateway()
        rows += reads(installation, options)
        rows += feed(installation, options)
        rows += changes(installation, options)
        rows += share_streams(installation, options)
        rows += streams(installation, options)
        rows += shares(installation, options)
        rows += sharer(installation, options)
        rows += refusals(installation, options)
        installation.start_workers("concert-worker", "sync-worker")
        rows += follows(installation, options)
        installation.stop_programs()
        rows += erasure(installation)
    return rows
