"""The machine that the numbers were measured on."""

import ctypes
import ctypes.util
import os
import sqlite3
import statistics
import time
from pathlib import Path


def describe(folder: Path) -> dict:
    return {
        "cores": len(os.sched_getaffinity(0)),
        "processor": processor(),
        "kernel": os.uname().release,
        "fileSystem": file_system(folder),
        "sqlite": sqlite3.sqlite_version,
        "libzmq": libzmq_version(),
        "fdatasyncMs": round(fdatasync_milliseconds(folder), 3),
        "loadAverage": round(os.getloadavg()[0], 2),
    }


def line(machine: dict) -> str:
    return (
        f"{machine['cores']} cores ({machine['processor']}), Linux {machine['kernel']}, {machine['fileSystem']}, "
        f"SQLite {machine['sqlite']}, libzmq {machine['libzmq']}, fdatasync of one page {machine['fdatasyncMs']} ms, "
        f"load average at the start {machine['loadAverage']}")


def processor() -> str:
    for entry in Path("/proc/cpuinfo").read_text().splitlines():
        if entry.startswith("model name"):
            return entry.split(":", 1)[1].strip()
    return os.uname().machine


def file_system(folder: Path) -> str:
    """The type of the file system that holds `folder`: on tmpfs, durable writes would cost nothing."""
    best = ("", "unknown")
    for entry in Path("/proc/mounts").read_text().splitlines():
        _, mount, kind = entry.split()[:3]
        if folder.resolve().is_relative_to(mount) and len(mount) >= len(best[0]):
            best = (mount, kind)
    return best[1]


def libzmq_version() -> str:
    name = ctypes.util.find_library("zmq")
    if name is None:
        return "unknown"
    parts = [ctypes.c_int() for _ in range(3)]
    ctypes.CDLL(name).zmq_version(*(ctypes.byref(part) for part in parts))
    return ".".join(str(part.value) for part in parts)


def fdatasync_milliseconds(folder: Path, count: int = 200) -> float:
    """The median time to make one page durable, which every commit pays at least once."""
    path = folder / "fdatasync-probe"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        page = b"\0" * 4096
        os.pwrite(descriptor, page * 64, 0)
        os.fdatasync(descriptor)
        times = []
        for number in range(count):
            began = time.perf_counter()
            os.pwrite(descriptor, page, number % 64 * 4096)
            os.fdatasync(descriptor)
            times.append(time.perf_counter() - began)
        return statistics.median(times) * 1_000
    finally:
        os.close(descriptor)
        path.unlink()
