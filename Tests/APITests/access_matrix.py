"""The matrix of access: asks a running gateway for every operation of docs/openapi.yaml as everybody, about everything.

The package `access` has the people, what they have, and the table of what each of them has to be answered.
"""

import argparse
import signal
import sys
import time
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(REPOSITORY / "Tests" / "BrowserTests"), str(REPOSITORY / "Tests" / "PythonSupport")]

import backline_test.installation  # noqa: E402  (it is found by the lines above)
from access.document import operations, unmatched  # noqa: E402
from access.matrix import Matrix, cells  # noqa: E402
from access.people import Client, People  # noqa: E402
from access.routes import BESIDE, ROUTES  # noqa: E402
from access.rows import Rows  # noqa: E402
from backline_test.processes import isolated  # noqa: E402
from support.installation import PRODUCTS  # noqa: E402

# The fewest cells of a whole matrix. Fewer mean that people, visibilities or routes have been lost.
FEWEST_CELLS = 4_000
MOST_FAULTS = 40


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="ask only the operations that contain this text")
    arguments = parser.parse_args()
    documented = operations()
    faults = unmatched(documented, ROUTES)
    routes = {**ROUTES, **BESIDE}
    wanted = [
        operation for operation in (*documented, *BESIDE) if arguments.only in operation and operation in routes]
    count = 0
    began = time.monotonic()
    environment = {
        # The test asks much more often than people.
        "BACKLINE_LIMITS_REQUESTS_PER_SECOND": "0",
        # The test says from which address a request comes.
        "BACKLINE_HTTP_TRUSTED_PROXIES": "127.0.0.1",
    }
    installation = backline_test.installation.Installation(
        environment, lambda product: PRODUCTS / product, isolated, "backline-access-")
    with installation:
        # The first account makes the database.
        installation.add_user("first_one")
        gateway = installation.start_gateway()
        # A worker makes the keys with which the gateway seals secrets. It stops, since it would also run the jobs that
        # the test submits.
        worker = installation.start("sync-worker")
        worker.wait_for_log("ready")
        worker.stop()
        client, rows = Client(installation.address), Rows(Path(installation.environment["BACKLINE_DATABASE_PATH"]))
        matrix = Matrix(client, People(installation, client, rows), rows)
        for cell in cells(routes, wanted):
            count += 1
            faults += matrix.faults(cell)
        rows.close()
        faults += [
            f"the gateway's log says: {line}" for line in gateway.lines if " error " in line or " critical " in line]
    if not arguments.only and count < FEWEST_CELLS:
        faults.append(f"there are {count} cells, and fewer than {FEWEST_CELLS}")
    seconds = time.monotonic() - began
    print(f"access: {len(wanted)} operations, {count} cells, {matrix.request_count} requests, {seconds:.0f} s")
    for fault in faults[:MOST_FAULTS]:
        print(f"access: {fault}", file=sys.stderr)
    if faults:
        print(f"access: failed with {len(faults)} faults", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    # The exit leaves the `with` block, so that the processes end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main())
