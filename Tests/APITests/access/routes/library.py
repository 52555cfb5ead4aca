"""The classes of the routes of libraries."""

from ..forms import Routes, item
from ..rules import CONFLICT, Item, SignedIn

_SONG = "spotify:4uLU6hMCjMI75M1A2tKUQC"

ROUTES: Routes = {
    "GET /v1/library/summary": SignedIn(status=200),
    "GET /v1/library/tracks": SignedIn(status=200),
    "GET /v1/library/tracks/{id}": item("track", 200),
    "GET /v1/library/tracks/{id}/identity": item("track", 200),
    "GET /v1/library/albums": SignedIn(status=200),
    "GET /v1/library/albums/{id}": item("album", 200),
    "GET /v1/library/playlists": SignedIn(status=200),
    "GET /v1/library/playlists/{id}": item("playlist", 200),
    "GET /v1/library/playlists/{id}/export": item("playlist", 200),
    "GET /v1/library/changes": (
        SignedIn(status=200),
        Item(status=200, unknown=200, malformed=422, query="trackId=<track>"),
    ),
    "GET /v1/library/duplicates": SignedIn(status=200),
    "GET /v1/library/decisions": SignedIn(status=200),
    "DELETE /v1/library/decisions/{id}": item("decision", 200),
    "POST /v1/library/tracks/{id}/split": item("track", 200, body={"sourceTrackIds": ["<sourceTrack>"]}),
    "POST /v1/library/merges": Item(status=200, malformed=422, body={"trackIds": ["<track>", "<otherTrack>"]}),
    "POST /v1/library/splits": Item(status=200, malformed=422, body={"trackIds": ["<track>", "<otherTrack>"]}),
    "GET /v1/library/settings": SignedIn(status=200),
    "PATCH /v1/library/settings": SignedIn(status=200, body={"remastersAreSame": False}),
    "GET /v1/library/export": SignedIn(status=200),
    "POST /v1/library/imports": SignedIn(
        status=202, query="filename=songs.csv", body=b"Title,Artist\nTeardrop,Massive Attack\n",
        content_type="application/octet-stream"),
    "GET /v1/library/imports": SignedIn(status=200),
    "GET /v1/library/imports/{id}": item("import", 200),
    "DELETE /v1/library/imports/{id}": item("import", 202),
    "POST /v1/library/syncs": SignedIn(status=202, body={}),
    "GET /v1/library/syncs/latest": SignedIn(status=200),
    "POST /v1/library/errors/dismiss": SignedIn(status=200),
    "GET /v1/library/sources/{source}/removal": SignedIn(names={"source": "spotify"}, status=200),
    "POST /v1/library/sources/{source}/account": SignedIn(
        names={"source": "spotify"}, status=CONFLICT, body={"same": True}),
    "PUT /v1/library/tracks/{id}/saved": item("track", 202, body={"source": "spotify"}),
    "DELETE /v1/library/tracks/{id}/saved": item("track", 202, body={"source": "spotify"}),
    "POST /v1/library/playlists": (
        SignedIn(status=202, body={"name": "New", "source": "spotify", "trackIds": [_SONG]}),
        Item(status=202, malformed=422, body={"name": "New", "source": "spotify", "trackIds": ["<track>"]}),
    ),
    "PATCH /v1/library/playlists/{id}": item("playlist", 202, body={"name": "Evening"}),
    "POST /v1/library/playlists/{id}/tracks": (
        item("playlist", 202, body={"trackIds": [_SONG]}),
        # Another person's song cannot be put into one's own playlist.
        Item(names={"id": "own playlist"}, status=202, malformed=422, body={"trackIds": ["<track>"]}),
    ),
    "DELETE /v1/library/playlists/{id}/tracks": item("playlist", 202, body={"version": "2-0", "positions": [0]}),
    "POST /v1/library/playlists/{id}/copies": item("playlist", 202, body={"to": "appleMusic"}),
    "GET /v1/library/copies/{id}": item("copy", 200),
    "POST /v1/library/copies/{id}/choices": (
        item("copy", 202, body={"choices": [{"position": 0, "leaveOut": True}]}),
        Item(names={"id": "own copy"}, status=202, unknown=422, malformed=422,
             body={"choices": [{"position": 0, "uri": "<track>"}]}),
    ),
    "POST /v1/library/copies/{id}/answer": item("unclearCopy", 202, body={"done": False}),
    "GET /v1/library/edits": SignedIn(status=200),
    "GET /v1/library/edits/{id}": item("edit", 200),
    "POST /v1/library/edits/{id}/answer": item("edit", 202, body={"done": True}),
    "POST /v1/library/edits/{id}/missing": item("failedEdit", 200, body={"putBack": False}),
}
