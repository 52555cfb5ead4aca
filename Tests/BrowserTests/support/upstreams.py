"""Control routes and counters of the simulated upstreams except Ticketmaster (docs/testing.md)."""

import json
import urllib.request


def base_urls(address: str) -> dict[str, str]:
    """The environment with which an installation calls the simulator at this address."""
    paths = {"TICKETMASTER": "discovery/v2", "SPOTIFY": "spotify/v1", "SPOTIFY_ACCOUNTS": "spotify-accounts",
             "GEMINI": "gemini/v1beta", "APPLE_MUSIC": "apple-music/v1", "GOOGLE": "google", "ITUNES": "itunes"}
    return {
        **{f"BACKLINE_UPSTREAMS_{name}_BASE_URL": f"{address}/{path}" for name, path in paths.items()},
        "BACKLINE_APPLE_MUSIC_SCRIPT_URL": f"{address}/apple-music-web/musickit.js",
        "BACKLINE_APPLE_MUSIC_SIGN_IN_ORIGINS": address,
    }


class Upstream:
    """One simulated upstream."""

    def __init__(self, address: str, name: str):
        self.routes = f"{address}/_sim/{name}"

    def ask(self, method: str, route: str, value=None):
        body = None if value is None else json.dumps(value).encode()
        request = urllib.request.Request(f"{self.routes}/{route}", body, method=method)
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def spoil(self, fault: str, **rule) -> None:
        self.ask("POST", "faults", {"fault": fault, **rule})

    def release(self) -> None:
        """Sends the answers that `hold` delays. Answers to later calls are delayed again."""
        self.ask("POST", "faults/release")

    def mend(self) -> None:
        self.ask("DELETE", "faults")

    def configure(self, **settings) -> None:
        self.ask("POST", "config", settings)

    def calls(self, text: str = "") -> int:
        """The number of calls that have arrived at endpoints containing this text."""
        counters = self.ask("GET", "counters")
        return sum(counter["arrivals"] for endpoint, counter in counters.items() if text in endpoint)
