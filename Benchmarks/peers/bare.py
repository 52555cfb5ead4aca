"""The lower bound: a pipeline of insert, ZeroMQ and fenced update, with the same durability and nothing else."""

import tempfile

from harness.options import Options
from harness.processes import product

from .peer import run_json


def bare_pipeline(jobs: int, options: Options) -> float:
    """Jobs a second of one round."""
    with tempfile.TemporaryDirectory(prefix="backline-bare-", dir=options.folder) as folder:
        return run_json([product("bare-pipeline"), str(jobs), folder])["jobsPerSecond"]
