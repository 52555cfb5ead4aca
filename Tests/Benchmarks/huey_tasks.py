"""The echo job for Huey's consumer, which imports this module by its name."""

import os

from huey import SqliteHuey

# `fsync=True` is `PRAGMA synchronous = FULL`, the durability that Backline has.
huey = SqliteHuey("bench", filename=os.environ["HUEY_DATABASE"], fsync=True, results=True)


@huey.task()
def echo(message):
    return {"message": message}
