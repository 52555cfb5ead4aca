"""Times of calls that are made one after the other."""

import time


def times(action, count: int) -> list[float]:
    """The times of `count` calls, in milliseconds."""
    values = []
    for _ in range(count):
        began = time.perf_counter()
        action()
        values.append((time.perf_counter() - began) * 1_000)
    return values


def percentile(values: list[float], percent: int) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]
