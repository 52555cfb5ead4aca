"""A reference for QuietHours, with the rules of Python's zoneinfo (PEP 495) instead of a search.

Reads a file of lines `SECOND ZONE START END` (seconds since 1970, minutes of the day), and prints for each the second at
which the quiet hours end that the moment is in, or `-`.

quiet_hours.py FILE
"""

import sys
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
SECOND = timedelta(seconds=1)


def seconds(moment: datetime) -> int:
    return (moment - EPOCH) // SECOND


def shown(second: int, zone: ZoneInfo) -> datetime:
    """What the clock on the wall shows."""
    return (EPOCH + second * SECOND).astimezone(zone).replace(tzinfo=None, fold=0)


def first(wall: datetime, zone: ZoneInfo) -> int:
    """The first moment at which the clock shows the time or a later one."""
    # Of a time that is shown twice, fold 0 is the first.
    moment = seconds(wall.replace(tzinfo=zone, fold=0).astimezone(timezone.utc))
    if shown(moment, zone) == wall:
        return moment
    # The time is in a gap, which both readings of it enclose.
    before = seconds(wall.replace(tzinfo=zone, fold=1).astimezone(timezone.utc))
    after = moment
    while after - before > 1:
        middle = (before + after) // 2
        if shown(middle, zone) < wall:
            before = middle
        else:
            after = middle
    return after


def quiet_until(second: int, zone: ZoneInfo, start: int, end: int) -> int | None:
    today = shown(second, zone).replace(hour=0, minute=0, second=0, microsecond=0)
    until = None
    for day in range(-2, 2):
        begin = today + timedelta(days=day, minutes=start)
        finish = today + timedelta(days=day if end > start else day + 1, minutes=end)
        moment = second if until is None else until
        if first(begin, zone) <= moment < first(finish, zone):
            until = first(finish, zone)
    return until


def main() -> None:
    for line in Path(sys.argv[1]).read_text().splitlines():
        second, zone, start, end = line.split()
        until = quiet_until(int(second), ZoneInfo(zone), int(start), int(end))
        print("-" if until is None else until)


if __name__ == "__main__":
    main()
