"""Loads one of the peers that are written in Python; runs in their environment.

Usage: load.py MODULE JOBS REQUESTS. The module enqueues, counts what is stored, and waits for single jobs. Prints one
line of JSON: the seconds from the first of JOBS to the last result, and the times of REQUESTS single jobs on the then
idle system, in milliseconds.
"""

import importlib
import json
import sys
import time

WARM_UP_JOBS = 200
WARM_UP_REQUESTS = 50
PATIENCE_SECONDS = 240


def main() -> None:
    peer = importlib.import_module(sys.argv[1])
    jobs, requests = int(sys.argv[2]), int(sys.argv[3])
    drain(peer, range(WARM_UP_JOBS))
    seconds = drain(peer, range(WARM_UP_JOBS, WARM_UP_JOBS + jobs))
    times = []
    for number in range(WARM_UP_REQUESTS + requests):
        began = time.perf_counter()
        peer.once(number)
        times.append((time.perf_counter() - began) * 1_000)
    print(json.dumps({"jobs": jobs, "seconds": seconds, "times": times[WARM_UP_REQUESTS:], **peer.facts()}))


def drain(peer, numbers: range) -> float:
    wanted = peer.finished() + len(numbers)
    began = time.perf_counter()
    peer.enqueue(numbers)
    while peer.finished() < wanted:
        if time.perf_counter() - began > PATIENCE_SECONDS:
            sys.exit(f"{sys.argv[1]} did not store all results in {PATIENCE_SECONDS} s")
        time.sleep(0.01)
    return time.perf_counter() - began


if __name__ == "__main__":
    main()
