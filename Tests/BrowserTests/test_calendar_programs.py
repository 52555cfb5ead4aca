"""A calendar as programs read it that subscribe to its address: with icalendar and recurring-ical-events, which know
nothing of Backline. Both compute instants from time zones themselves."""

import sqlite3
import time
import urllib.error
import urllib.request
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import icalendar
import pytest
import recurring_ical_events

from support import people

ARTIST = "Coldplay"
ZONES = {
    "New York": "America/New_York", "Lord Howe Island": "Australia/Lord_Howe", "Casablanca": "Africa/Casablanca",
    "Kathmandu": "Asia/Kathmandu", "Prague": "Europe/Prague",
}
# The clocks change between them, wherever they do.
DAYS = (70, 250)
# 20:00, and half past midnight.
MINUTES = (1_200, 30)
# Seconds; it only ends a test that fails.
PATIENCE = 180


class Subscriber:
    """A program that knows an address and nothing else."""

    def __init__(self, address: str):
        self.address = address
        self.tag = ""

    def read(self) -> icalendar.Calendar:
        with urllib.request.urlopen(self.address) as answer:
            assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
            self.tag = answer.headers["ETag"]
            content = answer.read()
        lines = content.split(b"\r\n")
        assert lines.pop() == b"" and all(len(line) <= 75 and b"\n" not in line for line in lines)
        return icalendar.Calendar.from_ical(content)

    def is_unchanged(self) -> bool:
        try:
            urllib.request.urlopen(urllib.request.Request(self.address, headers={"If-None-Match": self.tag})).close()
        except urllib.error.HTTPError as refusal:
            assert refusal.code == 304 and refusal.read() == b""
            return True
        return False

    def entries(self) -> dict[str, icalendar.Event]:
        return {show_of(event): event for event in self.read().walk("VEVENT")}

    def wait_for(self, is_there) -> dict[str, icalendar.Event]:
        end = time.monotonic() + PATIENCE
        while not is_there(entries := self.entries()):
            assert time.monotonic() < end, sorted(entries)
            time.sleep(0.2)
        return entries


def show_of(event: icalendar.Event) -> str:
    return str(event["UID"]).removeprefix("ticketmaster-").removesuffix("@backline")


def refresh(backline) -> None:
    """Has everything that is watched looked up again."""
    backline.stop()
    with sqlite3.connect(backline.folder / "data" / "backline.sqlite") as database:
        database.execute("UPDATE concert_subjects SET checked_at = checked_at - 90000000000")
        database.execute("UPDATE concert_refreshes SET next_at = 0")
    backline.start_all()


def instant(show: dict) -> datetime:
    """When a show begins, by Python's own time zones."""
    local = datetime.fromisoformat(f"{show['localDate']}T{show['localTime']}")
    return local.replace(tzinfo=ZoneInfo(show["venue"]["timeZone"])).astimezone(UTC)


def assert_instants(calendar: icalendar.Calendar, shows: dict[str, dict]) -> int:
    """Compares the start of each entry with its show, read in three ways. Returns how many have a time with a zone."""
    # The zones as the calendar itself writes them, whatever this machine knows of a zone with that name.
    own = {str(zone["TZID"]): zone.to_tz(lookup_tzid=False) for zone in calendar.walk("VTIMEZONE")}
    zoned = 0
    for event in calendar.walk("VEVENT"):
        show, start = shows[show_of(event)], event["DTSTART"]
        if not isinstance(start.dt, datetime):
            # It has no time, or lasts several days.
            assert start.dt == date.fromisoformat(show["localDate"])
            continue
        expected = instant(show)
        assert start.dt.astimezone(UTC) == expected, (event["UID"], show["venue"])
        if zone := start.params.get("TZID"):
            zoned += 1
            assert zone == show["venue"]["timeZone"]
            assert start.dt.replace(tzinfo=own[zone]).astimezone(UTC) == expected, (event["UID"], zone)
            assert start.dt.replace(tzinfo=None).isoformat() == f"{show['localDate']}T{show['localTime']}"
        around = recurring_ical_events.of(calendar).between(
            expected - timedelta(minutes=30), expected + timedelta(minutes=30))
        [found] = [one for one in around if one["UID"] == event["UID"]]
        assert found["DTSTART"].dt.astimezone(UTC) == expected
    return zoned


@pytest.fixture
def subscription(own_backline):
    """Somebody whose artist has shows in many zones, and the program that reads their calendar."""
    backline = own_backline()
    ada = backline.add_person()
    announced = {
        (city, days): backline.simulator.change_show(
            "announce", artist=ARTIST, city=city, inDays=days, minute=minute)["id"]
        for city in ZONES for days, minute in zip(DAYS, MINUTES, strict=True)}
    backline.rank(ada, [ARTIST])
    program = Subscriber(backline.ask(ada, "POST", "/v1/me/calendar", {"places": "anywhere"})["url"])
    program.wait_for(lambda entries: set(announced.values()) <= set(entries))
    return backline, ada, announced, program


def details(backline, person, ids) -> dict[str, dict]:
    return {id: backline.ask(person, "GET", f"/v1/concerts/{id}") for id in ids}


def test_programs_read_the_instant_of_each_show_in_its_zone(subscription):
    backline, ada, announced, program = subscription
    calendar = program.read()
    assert [str(calendar[name]) for name in ("VERSION", "METHOD", "NAME", "X-WR-CALNAME", "X-PUBLISHED-TTL")] == [
        "2.0", "PUBLISH", "Concerts", "Concerts", "PT6H"]
    assert calendar["REFRESH-INTERVAL"].dt == timedelta(hours=6)
    ids = [show_of(event) for event in calendar.walk("VEVENT")]
    assert len(ids) == len(set(ids))
    zones = [str(zone["TZID"]) for zone in calendar.walk("VTIMEZONE")]
    assert set(ZONES.values()) <= set(zones) and len(zones) == len(set(zones))
    assert assert_instants(calendar, details(backline, ada, ids)) >= len(announced)
    assert program.is_unchanged()


def test_programs_see_what_is_moved_and_cancelled_as_the_same_entry(subscription):
    backline, ada, announced, program = subscription
    before = program.entries()
    moved, cancelled = [], []
    for city in ZONES:
        # To the other half of the year, where the clocks differ; and to another hour.
        backline.simulator.change_show("move", id=announced[city, DAYS[0]], inDays=DAYS[1] + 20, minute=1_275)
        backline.simulator.change_show("cancel", id=announced[city, DAYS[1]])
        moved.append(announced[city, DAYS[0]])
        cancelled.append(announced[city, DAYS[1]])
    refresh(backline)
    after = program.wait_for(lambda entries: all(
        entries[id]["SEQUENCE"] > before[id]["SEQUENCE"] for id in (*moved, *cancelled) if id in entries))
    assert set(after) == set(before)
    for id, event in after.items():
        has_changed = id in moved or id in cancelled
        assert event["SEQUENCE"] == before[id]["SEQUENCE"] + int(has_changed)
        for stamp in ("LAST-MODIFIED", "DTSTAMP"):
            assert (event[stamp].dt > before[id][stamp].dt) == has_changed
        assert (event["DTSTART"].dt != before[id]["DTSTART"].dt) == (id in moved)
    for id in cancelled:
        assert after[id]["STATUS"] == "CANCELLED" and str(after[id]["SUMMARY"]).startswith("Cancelled: ")
    assert all(after[id]["STATUS"] == "CONFIRMED" for id in moved)
    assert_instants(program.read(), details(backline, ada, after))
    # A lookup that finds nothing new changes nothing.
    refresh(backline)
    with sqlite3.connect(backline.folder / "data" / "backline.sqlite") as database:
        end = time.monotonic() + PATIENCE
        while database.execute("SELECT 1 FROM concert_refreshes WHERE next_at = 0").fetchone() or database.execute(
                "SELECT 1 FROM jobs WHERE finished_at IS NULL AND kind LIKE 'concerts.%'").fetchone():
            assert time.monotonic() < end
            time.sleep(0.1)
    assert program.is_unchanged()


def test_a_calendar_near_home_has_the_shows_of_one_city(subscription):
    backline, ada, announced, program = subscription
    backline.ask(ada, "PATCH", "/v1/me/calendar", {"places": "home"})
    people.change(backline, ada, homeCity="Kathmandu")
    entries = program.entries()
    assert set(entries) == {announced["Kathmandu", days] for days in DAYS}
    # An artist without shows has a calendar all the same.
    backline.rank(ada, ["Nobody has this name"])
    assert program.entries() == {}
