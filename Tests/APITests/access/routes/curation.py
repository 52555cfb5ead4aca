"""The classes of the routes of lists that are made."""

from ..forms import Routes, act, item
from ..rules import CONFLICT, ERASED, FOUND, GUESSED, MALFORMED, OTHERS, OWN, SUSPENDED, Addressed, Item, SignedIn


def _curated(path: str, kind: str) -> Routes:
    return {
        f"GET /v1/ai/{path}/{{id}}": item(kind, 200),
        f"DELETE /v1/ai/{path}/{{id}}": item(kind, 204),
        f"GET /v1/ai/{path}/{{id}}/sent": item(kind, 200),
    }


ROUTES: Routes = {
    # The seed keeps answers alike. Whom the viewer has blocked, the viewer knows.
    "POST /v1/ai/blends": Addressed(
        status=202, own=422, blocker=CONFLICT, body={"with": "<username>", "seed": 1}),
    "GET /v1/ai/blends": SignedIn(status=200, shows=FOUND),
    "GET /v1/ai/blend-partners": SignedIn(status=200, shows=FOUND),
    "PUT /v1/ai/blend-partners/{username}": (
        # Nobody has asked.
        Addressed(status=CONFLICT, own=CONFLICT, body={"answer": "accept"}),
        Addressed(status=CONFLICT, own=CONFLICT, body={"answer": "decline"}),
        # This blocks the person everywhere.
        act(204, "p", unknown=CONFLICT, body={"answer": "block"}),
    ),
    # It ends a request, or a block. Whom the viewer cannot see has the name here by which the viewer has asked.
    "DELETE /v1/ai/blend-partners/{username}": act(
        204, "u", unknown=CONFLICT, targets=(OWN, OTHERS, GUESSED, MALFORMED, SUSPENDED, ERASED)),
    "POST /v1/ai/playlists": (
        SignedIn(status=202, body={"prompt": "rain"}),
        Item(status=202, unknown=202, malformed=422, body={"prompt": "rain", "exclude": {"tracks": ["<track>"]},
              "seed": 1}),
    ),
    "GET /v1/ai/playlists": SignedIn(status=200),
    "DELETE /v1/ai/playlists/{id}/tracks/{trackId}": Item(
        names={"id": "playlistMade", "trackId": "track"}, status=204),
    "POST /v1/ai/playlists/{id}/refinements": item("playlistMade", 202, body={"prompt": "less rain"}),
    "POST /v1/ai/playlists/{id}/save": item("playlistMade", 202, body={"to": "spotify"}),
    "POST /v1/ai/blends/{id}/save": item("blend", 202, body={"to": "spotify"}),
    "POST /v1/ai/recommendations/{id}/save": item("recommendations", 202, body={"to": "spotify"}),
    "PUT /v1/ai/model": SignedIn(status=204, body={"choice": "none"}),
    "GET /v1/ai/estimate": SignedIn(status=200),
    "POST /v1/ai/recommendations": (
        SignedIn(status=202, body={"size": 5}),
        Item(status=202, malformed=422, body={"basedOn": ["<track>"]}),
    ),
    "GET /v1/ai/recommendations": SignedIn(status=200),
    "POST /v1/ai/growth": Item(status=202, body={"playlistId": "<playlist>"}),
    "GET /v1/ai/dismissals": SignedIn(status=200),
    "PUT /v1/ai/dismissals/{id}": item("track", 204),
    # The second time changes nothing, and nor does a song that the viewer has not dismissed.
    "DELETE /v1/ai/dismissals/{id}": item("otherTrack", 204, unknown=204, malformed=404),
    **_curated("playlists", "playlistMade"),
    **_curated("recommendations", "recommendations"),
    **_curated("growth", "growth"),
    **_curated("blends", "blend"),
}
