"""Checks a running gateway against docs/openapi.yaml: schemathesis sends requests that the document allows, and others
that it does not, and checks whether the document has each answer."""

import argparse
import random
import signal
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(REPOSITORY / "Tests" / "BrowserTests"))

from support.installation import Installation  # noqa: E402  (it is found by the line above)
from support.upstreams import Upstream  # noqa: E402

# No 5xx; only documented statuses, media types, headers and bodies; 405 for other methods. The matrix of access covers
# requests without a token or with one that has ended: as many guesses as this would make are slowed down.
CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "negative_data_rejection", "unsupported_method", "allow_header_conformance",
    "use_after_free",
]
# These are left out: the event stream does not end, and operations that delete the tester or the token would end the
# test.
EXCLUDED = [
    "--exclude-path", "/v1/events", "--exclude-path", "/v1/me/tokens/{id}", "--exclude-operation-id", "erasePerson"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--examples", type=int, default=5, help="requests for each operation and phase")
    parser.add_argument("--seconds", type=int, help="go on for so long")
    arguments, further = parser.parse_known_args()
    print(f"test-api: seed {arguments.seed}", flush=True)
    # The workers that verify keys run, too. With high limits, so many verifications and previews do not wait for
    # permits.
    # With a developer key for Apple Music, nothing answers 503 because it is not configured.
    with Installation(
            with_setup=True, with_apple_key=True,
            environment={
                "BACKLINE_UPSTREAMS_GEMINI_REQUESTS": "1000", "BACKLINE_UPSTREAMS_ITUNES_REQUESTS": "1000",
                # The test makes many more requests than a person.
                "BACKLINE_LIMITS_REQUESTS_PER_SECOND": "0",
            }) as installation:
        # iTunes itself allows twenty calls a minute.
        Upstream(installation.simulator.address, "itunes").configure(limit=0)
        tester = installation.add_person("--admin")
        installation.rank(tester, installation.fresh_artists(2))
        command = [
            str(Path(sys.executable).with_name("schemathesis")),
            "--config-file", str(Path(__file__).with_name("schemathesis.toml")), "run",
            str(REPOSITORY / "docs" / "openapi.yaml"),
            "--url", installation.address, "--header", f"Authorization: Bearer {tester.token}",
            "--checks", ",".join(CHECKS), *EXCLUDED, "--seed", str(arguments.seed),
            "--max-examples", str(arguments.examples), "--request-timeout", "40", "--generation-database", "none",
            "--suppress-health-check", "all", "--continue-on-failure", "--no-color",
            *(["--max-time", str(arguments.seconds)] if arguments.seconds else []), *further,
        ]
        status = subprocess.run(command, cwd=installation.folder, check=False).returncode
        # The gateway still answers.
        installation.ask(tester, "GET", "/v1/jobs/summary")
        trouble = [line for line in installation.gateway.lines if " error " in line]
    for line in trouble[:20]:
        print(f"test-api: the gateway's log says: {line}", file=sys.stderr)
    if status or trouble:
        print(f"test-api: failed; again with: scripts/test-api --seed {arguments.seed}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    # The exit leaves the `with` block, so that the processes end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sys.exit(main())
