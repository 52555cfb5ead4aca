"""Sidekiq, in Ruby, on Redis: drained, for it keeps no results."""

import time

from harness import debian
from harness.options import Options
from harness.processes import Program

from .peer import PROGRAMS, WORKERS, Load, Outcome, folder_of, outcome, run_json, running
from .redis import durability, redis

THREADS = 10
STARTING_SECONDS = 1


def sidekiq(fsync: str, wanted: Load, options: Options) -> Outcome:
    ruby = debian.executable("ruby3.1" if (debian.PRIVATE / "usr" / "bin" / "ruby3.1").exists() else "ruby")
    with folder_of("sidekiq", options) as folder, redis(folder, fsync) as socket:
        environment = {**debian.environment(), "REDIS_SOCKET": str(socket)}
        workers = [
            Program(f"worker-{number}", [ruby, str(PROGRAMS / "sidekiq_worker.rb"), str(THREADS)], folder, environment)
            for number in range(WORKERS)]
        with running(workers):
            time.sleep(STARTING_SECONDS)
            command = [ruby, str(PROGRAMS / "sidekiq_load.rb"), str(wanted.jobs), str(wanted.requests)]
            return outcome(run_json(command, environment), durability(fsync))
