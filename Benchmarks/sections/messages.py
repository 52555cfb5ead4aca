"""People who write to each other: pages, messages, what reaches open streams and push services, and a spammer."""

import json
import time
from pathlib import Path

from harness import social_rows
from harness.client import Connection, signed_in
from harness.message_plan import MessagePlan
from harness.message_rows import COLUMNS, MessageRows
from harness.messaging import body, path
from harness.options import Options
from harness.prefill import bytes_on_disk
from harness.push_service import PushService
from harness.report import Row
from harness.social_installation import SocialInstallation
from harness.text_sealer import TextSealer

from .messages_pages import pages
from .messages_pushes import pushes
from .messages_sealing import sealing
from .messages_sending import sending
from .messages_spammer import spammer
from .messages_streams import streams
from .streams import allow_descriptors

SECTION = "messages"


def run(options: Options) -> list[Row]:
    rows = sealing()
    with SocialInstallation(options) as installation:
        plan = MessagePlan(installation.plan)
        allow_descriptors(len(plan.pairs) + 300)
        rows.append(filled(installation, plan))
        with PushService(installation) as service:
            installation.start_gateway()
            rows += pages(installation, plan, options)
            rows += sending(installation, plan, options)
            rows += streams(installation, plan, options)
            installation.start_workers("sync-worker")
            rows += pushes(installation, plan, service, options)
            installation.stop_programs()
        rows += spammer(installation, plan, options)
    return rows


def filled(installation: SocialInstallation, plan: MessagePlan) -> Row:
    """Writes the messages of all threads into the database. No program runs afterwards."""
    installation.start_gateway()
    make_key(installation, plan)
    installation.stop_programs()
    sealer = TextSealer(Path(installation.database_path).parent / "messages" / "messages.key")
    began = time.monotonic()
    part = MessageRows(plan, installation.key_of(0), sealer)
    before = bytes_on_disk(installation.database_path)
    social_rows.write(installation.database_path, plan.people, [part], COLUMNS)
    grown = bytes_on_disk(installation.database_path) - before
    return Row(
        SECTION, "messages in the database", part.messages, "messages",
        note=f"in {len(part.threads):,} threads of {plan.people.people:,} people; {grown / part.messages:,.0f} bytes "
        f"on disk for each; put there in {time.monotonic() - began:,.0f} s")


def make_key(installation: SocialInstallation, plan: MessagePlan) -> None:
    """The first message makes the key with which texts are sealed. It is of two people without a part here."""
    sender, recipient = plan.people.leavers[:2]
    gateway = Connection(installation.address)
    headers = signed_in(plan.people.token(sender))
    opened = json.loads(gateway.send(
        "PUT", f"/v1/users/{plan.people.username(recipient)}/thread", headers=headers))
    gateway.send("PUT", path(opened["id"]), body(), headers, (201,))
    gateway.close()
