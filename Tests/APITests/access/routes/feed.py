"""The classes of the routes of the feed."""

from ..forms import Routes, item
from ..rules import LISTED, SHARED, Item, SignedIn, where

ROUTES: Routes = {
    "GET /v1/feed": SignedIn(
        status=200, shows=where(LISTED, "fr"), shows_share=where(LISTED, "f"), shows_own=True, notes_visit=True),
    "GET /v1/feed/unread": SignedIn(status=200),
    "PUT /v1/feed/read-mark": SignedIn(status=200, body={"score": 1, "number": 1}),
    "GET /v1/feed/muted-kinds": SignedIn(status=200),
    "PUT /v1/feed/muted-kinds/{kind}": (
        SignedIn(names={"kind": "share"}, status=204),
        SignedIn(names={"kind": "none"}, status=404),
    ),
    "DELETE /v1/feed/muted-kinds/{kind}": (
        SignedIn(names={"kind": "share"}, status=204),
        SignedIn(names={"kind": "none"}, status=404),
    ),
    # With what the viewer may still see of it.
    "GET /v1/feed/hidden": SignedIn(status=200, shows=SHARED, shows_share=SHARED, shows_own=True),
    # Whether there is an item does not show: its id is text.
    "PUT /v1/feed/hidden/{kind}/{id}": Item(names={"kind": "share", "id": "songShare"}, status=204, unknown=204),
    "DELETE /v1/feed/hidden/{kind}/{id}": Item(names={"kind": "release", "id": "hiddenItem"}, status=204, unknown=204),
}
