"""Lists that are made for people: our own share of the time, what leaves for a model, and the calls for free names."""

import collections
import json
import statistics
import time
from collections.abc import Callable
from datetime import datetime
from urllib.parse import quote

from harness.client import Connection
from harness.installation import Installation
from harness.music import RAISED_LIMITS, MusicServices, sync
from harness.options import Options
from harness.processes import BenchmarkError
from harness.report import Row, at_least, at_most, number
from harness.timing import percentile

SECTION = "ai"
OWN_MS, FOR_YOU_MS, MORE_MB = 150, 300, 60
PROMPT_TOKENS, CALLS_A_NAME = 6_000, 1.2
# At least so many times what the most popular songs have.
RECALL = 2
RECORDINGS = 250_000
KEY = "demo-gemini-key"
LIMITS = RAISED_LIMITS | {
    "BACKLINE_UPSTREAMS_GEMINI_REQUESTS": "1000", "BACKLINE_UPSTREAMS_GEMINI_WINDOW_MS": "1000",
    "BACKLINE_UPSTREAMS_GEMINI_DAILY_REQUESTS": "0", "BACKLINE_UPSTREAMS_GEMINI_TOKENS": "0",
    "BACKLINE_AI_MONTHLY_TOKENS": "0", "BACKLINE_AI_RECOMMENDATION_HOURS": "0",
}
# Lists before the measured ones.
WARMING = 5
PROMPTS = (
    "rainy sunday, nothing I heard this month", "90s rock for a long drive", "calm jazz that I never played",
    "something like the best of the 80s", "songs for a party",
)


def run(options: Options) -> list[Row]:
    return [*times(options), *recall(options)]


def point_at_gemini(installation: Installation) -> None:
    """Has the processes that start from now on call the simulator that stands in for Spotify."""
    address = installation.environment["BACKLINE_UPSTREAMS_SPOTIFY_BASE_URL"].removesuffix("/spotify/v1")
    installation.environment["BACKLINE_UPSTREAMS_GEMINI_BASE_URL"] = f"{address}/gemini/v1beta"


def enter_key(gateway: Connection) -> None:
    """From now on a model is asked."""
    gateway.send("PUT", "/v1/setup/gemini", json.dumps({"apiKey": KEY}).encode())


def times(options: Options) -> list[Row]:
    tracks, count = (10_000, 20) if options.quick else (100_000, 100)
    with (
        Installation(options.folder, LIMITS) as installation,
        MusicServices(installation, 0, RECORDINGS, has_limits=False) as services,
    ):
        point_at_gemini(installation)
        path = installation.environment["BACKLINE_DATABASE_PATH"]
        installation.start_gateway()
        installation.start_workers("sync-worker")
        installation.add_user("bench")
        gateway = installation.connect()
        services.connect(gateway)
        services.fill(round(tracks / 1.4), playlists=20, entries=100, albums=50)
        sync(gateway, path)
        worker, = installation.start_workers("ai-worker")
        idle = worker.peak_bytes() / 1e6
        total = gateway.get("/v1/library/summary")["tracks"]["all"]
        described = f"library of {total:,} tracks"

        for_you = [made(gateway, "recommendations", {"size": 20, "source": "library"}) for _ in range(count)][WARMING:]
        more = worker.peak_bytes() / 1e6 - idle
        ruled = [made(gateway, "playlists", question(index)) for index in range(count)][WARMING:]
        enter_key(gateway)
        asked = [made(gateway, "playlists", question(index)) for index in range(count)][WARMING:]
        tokens = [sent_tokens(gateway, found["id"]) for found in asked]
        rows = [
            timed("For You of 20 songs without a model, p99", for_you, FOR_YOU_MS, described),
            Row(SECTION, "the same, ai-worker's memory above idle", more, "MB", **at_most(more, MORE_MB, "MB")),
            timed("a playlist of 25 by rules, p99", ruled, OWN_MS, described),
            timed("a playlist of 25 with a model that answers at once, p99", asked, OWN_MS,
                  "asking, which the simulator answers in a few milliseconds, is in it"),
            Row(SECTION, "tokens of a question for 25 songs, at most", max(tokens), "tokens",
                **at_most(max(tokens), PROMPT_TOKENS, "tokens"), note="three characters a token"),
            calls_of_names(gateway, services, 5 if options.quick else 20),
        ]
        gateway.close()
    return rows


# What is recommended


def recall(options: Options) -> list[Row]:
    """Playlists of ten tastes, of which half is withheld: how much of it is among twenty suggestions.

    Those of rules, of the simulated model and of what is most popular are scored alike.
    """
    playlists, entries = (20, 20) if options.quick else (80, 20)
    with (
        Installation(options.folder, LIMITS) as installation,
        MusicServices(installation, 0, RECORDINGS, has_limits=False) as services,
    ):
        point_at_gemini(installation)
        installation.start_gateway()
        installation.start_workers("sync-worker")
        installation.add_user("bench")
        gateway = installation.connect()
        services.connect(gateway)
        filled = services.control.post("/_sim/spotify/library", {
            "tracks": 3_000, "playlists": playlists, "entries": entries, "tastes": 10, "oddities": False})
        sync(gateway, installation.environment["BACKLINE_DATABASE_PATH"])
        installation.start_workers("ai-worker")
        withheld = {one["id"]: set(one["withheld"]) for one in filled["playlists"]}
        songs = {}
        for one in pages(gateway, "/v1/library/playlists?source=spotify", "items"):
            songs[one["id"], one["sourceId"]] = [
                entry["track"]["id"] for entry in pages(gateway, f"/v1/library/playlists/{one['id']}", "entries")]
        popular = collections.Counter(track for tracks in songs.values() for track in set(tracks))
        ids: dict[str, str] = {}

        def share(tracks: list[str], wanted: set[str]) -> float:
            for track in tracks:
                if track not in ids:
                    sources = gateway.get(f"/v1/library/tracks/{track}")["sourceTracks"]
                    ids[track] = next(one["sourceId"] for one in sources if one["source"] == "spotify")
            return len({ids[track] for track in tracks} & wanted) / min(20, len(wanted))

        def score(suggest: Callable[[str, list[str]], list[str]]) -> float:
            """The mean share of what is withheld that is among the suggestions for a playlist and its songs."""
            return statistics.fmean(
                share(suggest(playlist, present), withheld[source_id])
                for (playlist, source_id), present in songs.items())

        def grown(playlist: str, by_model: bool) -> list[str]:
            made_list = made(gateway, "growth", {"playlistId": playlist, "size": 20, "source": "library", "seed": 1})
            if (made_list["fallback"] is None) != by_model:
                raise BenchmarkError(f"the list was not made as it should: {made_list['fallback']}")
            return [one["track"]["id"] for one in made_list["tracks"]]

        popularity = score(
            lambda _, present: [track for track, _ in popular.most_common() if track not in present][:20])
        by_rules = score(lambda playlist, _: grown(playlist, by_model=False))
        enter_key(gateway)
        by_model = score(lambda playlist, _: grown(playlist, by_model=True))
        gateway.close()

    def note(own: float) -> str:
        return f"{len(songs)} playlists: {number(own)} against {number(popularity)} of 20 suggestions"

    return [
        Row(SECTION, "recall of withheld songs of playlists, by rules, in popularity's", by_rules / popularity, "times",
            **at_least(by_rules / popularity, RECALL, "times"), note=note(by_rules)),
        Row(SECTION, "the same of lists that the simulated model chose", by_model / popularity, "times",
            note=f"{note(by_model)}; it chooses by chance among the candidates, the first ones more often"),
    ]


def pages(gateway: Connection, path: str, member: str):
    """All items of a list."""
    mark, cursor = "&" if "?" in path else "?", None
    while True:
        page = gateway.get(f"{path}{mark}limit=200" + (f"&cursor={quote(cursor, safe='')}" if cursor else ""))
        yield from page[member]
        cursor = page["nextCursor"]
        if not cursor:
            return


def question(index: int) -> dict:
    return {"prompt": f"{PROMPTS[index % len(PROMPTS)]} {index}", "size": 25, "source": "library"}


def made(gateway: Connection, kind: str, body: dict) -> dict:
    """Asks for a list, and returns it with the milliseconds that it took by the gateway's and the worker's clocks."""
    asked = gateway.post(f"/v1/ai/{kind}", body)
    while (found := gateway.get(f"/v1/ai/{kind}/{asked['id']}"))["state"] not in ("complete", "failed"):
        time.sleep(0.002)
    if found["state"] == "failed" or not found["tracks"]:
        raise RuntimeError(f"no list was made: {found['error']}")
    return found


def milliseconds(found: dict) -> float:
    began, ended = (datetime.fromisoformat(found[name]) for name in ("createdAt", "finishedAt"))
    return (ended - began).total_seconds() * 1_000


def timed(name: str, lists: list[dict], limit: float, note: str) -> Row:
    values = [milliseconds(found) for found in lists]
    worst = percentile(values, 99)
    return Row(
        SECTION, name, worst, "ms", **at_most(worst, limit, "ms"),
        note=f"{note}; {len(values)} lists, p50 {number(percentile(values, 50))} ms")


def sent_tokens(gateway: Connection, list_id: str) -> float:
    return len(json.dumps(gateway.get(f"/v1/ai/playlists/{list_id}/sent")["sent"], ensure_ascii=False)) / 3


def calls_of_names(gateway: Connection, services: MusicServices, count: int) -> Row:
    """A careless model names songs that do not exist, misspells others, and repeats itself."""
    services.control.post("/_sim/gemini/config", {"behaviour": "careless"})
    before = services.calls("spotify")
    for index in range(count):
        made(gateway, "playlists", {"prompt": f"discoveries {index}", "size": 25, "source": "discovery"})
    # It names more than are looked up: twice as many as the list has songs.
    names = count * 50
    share = (services.calls("spotify") - before) / names
    return Row(
        SECTION, "calls of a service for a free name of a careless model", share, "calls",
        **at_most(share, CALLS_A_NAME, "calls"),
        note=f"{names} names in {count} lists")
