"""How right the rules are of which records are one song: on labelled pairs, and on the simulator's ground truth.

Both go through `backline identity`, as other programs use it.
"""

import collections
import itertools
import json
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from harness import page
from harness.client import Connection
from harness.options import Options
from harness.processes import REPOSITORY, BenchmarkError, Program, product
from harness.report import Row, at_least

# Beside the repository; a copy of the repository alone has none.
PAIRS = REPOSITORY.parent / "shared" / "fixtures" / "identity" / "itunes_amazon_train.jsonl"
# Pairs of the shapes in which people's libraries differ, with the verdict that is wanted: `same`, `different`,
# `undecided`, or `not-same`.
SHAPES = REPOSITORY / "Benchmarks" / "identity_pairs.jsonl"
SCORECARD = REPOSITORY / "docs" / "identity.md"
# What decides about no pair that was missed.
UNDECISIVE = (
    "The titles agree", "The artists agree", "The durations are equal", "Their recording codes", "The albums",
    "They are editions", "One names more artists", "The album of")


@dataclass
class Score:
    name: str
    right: int = 0
    wrong: int = 0
    missed: int = 0
    # How many errors have which cause.
    causes: collections.Counter = field(default_factory=collections.Counter)

    @property
    def precision(self) -> float:
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        return self.right / max(1, self.right + self.missed)

    @property
    def f1(self) -> float:
        return 2 * self.right / max(1, 2 * self.right + self.wrong + self.missed)


def run(options: Options) -> list[Row]:
    scores: list[Score] = []
    rows: list[Row] = []
    if PAIRS.exists():
        whole, even, odd = labelled_pairs()
        scores += [whole, even, odd]
        rows += [
            Row("identity", "labelled pairs, precision", whole.precision, "", **at_least(whole.precision, 0.98)),
            Row("identity", "labelled pairs, recall", whole.recall, ""),
            Row("identity", "labelled pairs, F1", whole.f1, "", **at_least(whole.f1, 0.97)),
        ]
    else:
        print(f"  no labelled pairs: {PAIRS} does not exist", file=sys.stderr, flush=True)
    shapes = shaped_pairs()
    rows += [
        Row("identity", f"pairs of known shapes: {name}", right / total, "", **at_least(right / total, 1.0))
        for name, (right, total) in shapes.items()]
    truth, seconds, listings = ground_truth(options)
    scores.append(truth)
    rows += [
        Row("identity", "simulator, pairwise precision", truth.precision, "", **at_least(truth.precision, 0.998)),
        Row("identity", "simulator, pairwise recall", truth.recall, "", **at_least(truth.recall, 0.97)),
        Row("identity", f"backline identity cluster, {listings:,} records", seconds, "s"),
    ]
    if options.writes_scorecard and PAIRS.exists():
        page.write(SCORECARD, scorecard(scores, shapes))
        print(f"  wrote {SCORECARD.relative_to(REPOSITORY)}", file=sys.stderr, flush=True)
    return rows


def labelled_pairs() -> tuple[Score, Score, Score]:
    pairs = [json.loads(line) for line in PAIRS.read_text(encoding="utf-8").split("\n") if line]
    answers = identity("compare", [{"a": pair["a"], "b": pair["b"]} for pair in pairs])
    whole, *halves = (Score(name) for name in ("all labelled pairs", "those with even numbers", "with odd numbers"))
    for number, (pair, answer) in enumerate(zip(pairs, answers)):
        for score in (whole, halves[number % 2]):
            count(score, pair["label"] == 1, answer["verdict"] == "same", lambda: cause(answer))
    return whole, *halves


def shaped_pairs() -> dict[str, tuple[int, int]]:
    """How many pairs of each kind have the wanted verdict, of how many."""
    pairs = [json.loads(line) for line in SHAPES.read_text(encoding="utf-8").split("\n") if line]
    answers = identity("compare", [{"a": pair["a"], "b": pair["b"]} for pair in pairs])
    kinds: dict[str, tuple[int, int]] = {}
    for pair, answer in zip(pairs, answers):
        wanted, verdict = pair["expected"], answer["verdict"]
        is_right = verdict != "same" if wanted == "not-same" else verdict == wanted
        if not is_right:
            artists = f"“{pair['a']['artist']}” and “{pair['b']['artist']}”"
            print(f"  {pair['kind']}: {verdict} instead of {wanted}: {artists}", file=sys.stderr, flush=True)
        right, total = kinds.get(pair["kind"], (0, 0))
        kinds[pair["kind"]] = (right + is_right, total + 1)
    return kinds


def ground_truth(options: Options) -> tuple[Score, float, int]:
    """The score of clusters on all listings of the simulator's recordings, pair by pair; the time; the listings."""
    recordings = 4_000 if options.quick else 100_000
    records, songs = listed(recordings, options.folder)
    started = time.monotonic()
    answers = identity("cluster", records)
    seconds = time.monotonic() - started
    track_of = {answer["id"]: answer["track"] for answer in answers}
    score = Score(f"{len(records):,} listings of {recordings:,} simulated recordings")
    errors = []
    by_song, by_track = collections.defaultdict(list), collections.defaultdict(list)
    for record in records:
        by_song[songs[record["id"]][0]].append(record)
        by_track[track_of[record["id"]]].append(record)
    for group in by_song.values():
        for one, other in itertools.combinations(group, 2):
            if track_of[one["id"]] == track_of[other["id"]]:
                score.right += 1
            else:
                errors.append((False, one, other))
    for group in by_track.values():
        for one, other in itertools.combinations(group, 2):
            if songs[one["id"]][0] != songs[other["id"]][0]:
                errors.append((True, one, other))
    verdicts = identity("compare", [{"a": one, "b": other} for _, one, other in errors])
    for (joined, one, other), answer in zip(errors, verdicts):
        versions = " and ".join(sorted({songs[one["id"]][1], songs[other["id"]][1]}))
        count(score, not joined, joined, lambda: f"{versions}: {cause(answer)}")
    return score, seconds, len(records)


def listed(recordings: int, parent: Path) -> tuple[list[dict], dict[str, tuple]]:
    """All listings, and for each id its track and version. A remaster is the track of its original."""
    with tempfile.TemporaryDirectory(prefix="backline-bench-", dir=parent) as folder:
        simulator = Program(
            "upstream-sim", [product("upstream-sim"), "--recordings", str(recordings)], Path(folder))
        try:
            control = Connection(simulator.wait_for("listening on").split()[-1])
            records, songs = [], {}
            for offset in range(0, recordings, 2_000):
                for recording in control.get(f"/_sim/recordings?offset={offset}&limit=2000"):
                    version = recording["version"]
                    for source, name in (("spotify", "spotify"), ("apple", "appleMusic")):
                        for listing in recording[source]:
                            fields = ("title", "artist", "album", "durationMs", "isrc", "explicit")
                            record = {
                                "id": f"{name}:{listing['id']}", "source": name,
                                **{field: listing.get(field) for field in fields}}
                            records.append(record)
                            songs[record["id"]] = (recording["track"], version)
            control.close()
        finally:
            simulator.stop()
    return records, songs


def identity(verb: str, lines: list[dict]) -> list[dict]:
    """The answers of `backline identity`, one for each line."""
    result = subprocess.run(
        [product("backline"), "identity", verb], encoding="utf-8", capture_output=True, check=False,
        input="".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    if result.returncode != 0:
        raise BenchmarkError(f"backline identity {verb} ended with {result.returncode}: {result.stderr.strip()}")
    answers = [json.loads(line) for line in result.stdout.split("\n") if line]
    if len(answers) != len(lines):
        raise BenchmarkError(f"backline identity {verb} answered {len(lines):,} lines with {len(answers):,}")
    return answers


def count(score: Score, is_same: bool, is_joined: bool, why) -> None:
    if is_same and is_joined:
        score.right += 1
    elif is_joined:
        score.wrong += 1
        score.causes["joined wrongly", why()] += 1
    elif is_same:
        score.missed += 1
        score.causes["missed", why()] += 1


def cause(answer: dict) -> str:
    """What decided about a pair, without names and numbers."""
    evidence = answer["evidence"]
    if answer["verdict"] == "same":
        sentences = ["The pair is the same by itself; others of its songs decided."]
        if any("(ISRC)" in sentence and "differ" not in sentence for sentence in evidence):
            sentences = ["They have one recording code."]
        elif any(sentence.startswith("The titles agree") for sentence in evidence):
            sentences = ["Title, artist and duration agree."]
    elif answer["verdict"] == "different":
        sentences = evidence[-1:]
    else:
        sentences = [sentence for sentence in evidence if not sentence.startswith(UNDECISIVE)]
    text = " ".join(sentences) or "Nothing speaks against it, and not enough for it."
    text = re.sub(r":? “[^”]*”( and “[^”]*”)?", "", text)
    text = re.sub(r" \(ISRC\) [A-Z0-9]{12}", " (ISRC)", text)
    return re.sub(r"\d+(\.\d+)? s apart", "apart", text)


def scorecard(scores: list[Score], shapes: dict[str, tuple[int, int]]) -> str:
    lines = [
        "| measured on | precision | recall | F1 | right | joined wrongly | missed |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for score in scores:
        lines.append(
            f"| {score.name} | {score.precision:.4f} | {score.recall:.4f} | {score.f1:.4f} | {score.right:,} | "
            f"{score.wrong:,} | {score.missed:,} |")
    lines += ["", "Pairs of known shapes:", "", "| kind | right | of |", "|---|--:|--:|"]
    lines += [f"| {kind} | {right:,} | {total:,} |" for kind, (right, total) in shapes.items()]
    # The halves have the errors of the whole.
    for score in (scores[0], scores[-1]):
        lines += ["", f"Errors on {score.name}, by cause:", "", "| error | cause | pairs |", "|---|---|--:|"]
        for (kind, why), number in sorted(score.causes.items(), key=lambda item: (-item[1], item[0])):
            lines.append(f"| {kind} | {why} | {number:,} |")
    return "\n".join(lines) + "\n"
