"""An installation with many people who follow each other. It is made once for each schema, and kept in `.bench/`."""

import contextlib
import hashlib
import inspect
import json
import os
import shutil
import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path

from . import social_plan, social_rows, social_shares, social_timeline, social_topics
from .installation import Installation
from .options import Options
from .processes import REPOSITORY
from .social_plan import SocialPlan

CACHE = REPOSITORY / ".bench" / "social"
# What is kept: the folder of the database, and how long it took.
DATA, SECONDS = "data", "seconds"
# Upkeep deletes concerts that have not been found again for a month.
KEPT_SECONDS = 14 * 86_400
# What writes the rows, in this order: parts read what earlier ones have written.
WRITERS = (social_rows, social_topics, social_shares, social_timeline)


class SocialInstallation(Installation):
    """Its programs do not run at first. `plan` says who is who."""

    def __init__(self, options: Options):
        super().__init__(options.folder)
        self.plan = SocialPlan(min(options.people, 5_000) if options.quick else options.people)
        # How long it took to make the people and their follows, in this run or an earlier one.
        self.seconds = 0.0

    def __enter__(self) -> "SocialInstallation":
        super().__enter__()
        # The gateway makes the tables of its version, in which the schema is found.
        self.start_gateway()
        self.stop_programs()
        kept = CACHE / f"{self.plan.people}-{fingerprint(self.database_path)}"
        if not kept.exists() or time.time() - kept.stat().st_mtime > KEPT_SECONDS:
            self._generate(kept)
        shutil.rmtree(self._data)
        shutil.copytree(kept / DATA, self._data)
        self.seconds = float((kept / SECONDS).read_text())
        # Otherwise the kernel would write the copy to the disk during the measurement.
        os.sync()
        return self

    @property
    def database_path(self) -> str:
        return self.environment["BACKLINE_DATABASE_PATH"]

    @property
    def _data(self) -> Path:
        """The folder of the database, with the keys that belong to it."""
        return Path(self.database_path).parent

    def rows(self, query: str, *values: object) -> list[tuple]:
        with contextlib.closing(sqlite3.connect(f"file:{self.database_path}?mode=ro", uri=True)) as database:
            return database.execute(query, values).fetchall()

    def value(self, query: str, *values: object):
        return self.rows(query, *values)[0][0]

    def key_of(self, number: int) -> int:
        """The key of the person with this number."""
        return self.value("SELECT key FROM people WHERE user_id = ?", self.user_ids([number])[number])

    def user_ids(self, numbers: Iterable[int]) -> dict[int, str]:
        return {
            number: self.value("SELECT id FROM users WHERE name = ?", self.plan.username(number)) for number in numbers}

    def _generate(self, kept: Path) -> None:
        began = time.monotonic()
        self.start_gateway()
        self.add_user(social_rows.TEMPLATE)
        gateway = self.connect()
        gateway.send(
            "PATCH", "/v1/me", json.dumps({"displayName": social_rows.TEMPLATE_DISPLAY_NAME}).encode())
        gateway.close()
        self.stop_programs()
        parts = [part for writer in WRITERS for part in writer.PARTS]
        columns = {table: names for writer in WRITERS for table, names in writer.COLUMNS.items()}
        social_rows.write(self.database_path, self.plan, parts, columns)
        CACHE.mkdir(parents=True, exist_ok=True)
        # Those of earlier schemas.
        for old in CACHE.glob(f"{self.plan.people}-*"):
            shutil.rmtree(old)
        # A copy that was interrupted has another name.
        partial = CACHE / f"partial-{os.getpid()}"
        shutil.copytree(self._data, partial / DATA)
        (partial / SECONDS).write_text(f"{time.monotonic() - began:.1f}")
        partial.rename(kept)


def fingerprint(path: str) -> str:
    """Of the database's tables and indexes, and of the text of the generator."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        texts = [text for (text,) in database.execute(
            "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name")]
    texts += [inspect.getsource(module) for module in (social_plan, *WRITERS)]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:16]
