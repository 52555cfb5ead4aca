"""The classes of the routes of notifications."""

from ..forms import Routes, item
from ..rules import REACTED, Administrator, SignedIn

ROUTES: Routes = {
    "GET /v1/admin/pushes": Administrator(status=200),
    # Each target has reacted to what the viewer shares. What they share is not in it.
    "GET /v1/notifications": SignedIn(status=200, shows=REACTED),
    "GET /v1/notifications/unread": SignedIn(status=200),
    "PUT /v1/notifications/read-mark": SignedIn(status=200, body={"number": 1}),
    "POST /v1/notifications/seen": SignedIn(status=204, body={"seq": 1, "ids": ["<notification>"]}),
    "GET /v1/notifications/settings": SignedIn(status=200),
    "PUT /v1/notifications/settings": SignedIn(status=200, body={"policy": "anybody"}),
    "GET /v1/notifications/web-push": SignedIn(status=200),
    "GET /v1/me/push-targets": SignedIn(status=200),
    "GET /v1/me/push-targets/{id}": item("pushTarget", 200),
    # The id is the client's own: whoever else has it has another target.
    "PUT /v1/me/push-targets/{id}": item(
        "pushTarget", 200, unknown=201, malformed=404,
        body={"ntfy": {"server": "https://ntfy.sh", "topic": "backline-test"}}),
    "DELETE /v1/me/push-targets/{id}": item("pushTarget", 204),
}
