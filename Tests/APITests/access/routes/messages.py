"""The classes of the routes of messages.

Everybody has a thread with the same person, who is nobody's target, and a request of another one. What they have written
is marked, so that an answer to anybody else that has anything of it is noticed.
"""

from ..forms import Routes, act, item
from ..rules import ACTS, LISTED, UNKNOWN, Item, SignedIn, where

_OWN_MESSAGE = {"id": "thread", "messageId": "message"}
_RECEIVED_MESSAGE = {"id": "thread", "messageId": "receivedMessage"}

ROUTES: Routes = {
    # Whom one meets in lists, and who follows, can be written to.
    "PUT /v1/users/{username}/thread": act(200, "r", shows=where(ACTS, "r")),
    "GET /v1/threads": SignedIn(status=200, shows_own=True),
    "GET /v1/threads/unread": SignedIn(status=200),
    "GET /v1/threads/{id}": item("thread", 200),
    "GET /v1/threads/{id}/messages": item("thread", 200),
    "PUT /v1/threads/{id}/messages/{messageId}": (
        Item(names={"id": "thread", "messageId": "messageDraft"}, status=201, body={"text": "Hello"}),
        # The song of somebody else is as unknown as one that nobody has.
        Item(names={"id": "own thread", "messageId": "messageDraft"}, status=201, unknown=422, malformed=422,
             body={"song": {"libraryTrackId": "<sharedTrack>"}}),
        # And so is that of a message in a thread of others.
        Item(names={"id": "own thread", "messageId": "messageDraft"}, status=201, unknown=422, malformed=422,
             body={"song": {"messageId": "<songMessage>"}}),
    ),
    "DELETE /v1/threads/{id}/messages/{messageId}": (
        Item(names=_OWN_MESSAGE, status=204),
        Item(names={**_OWN_MESSAGE, "id": "own thread"}, status=204),
        # What the other person has written is theirs.
        Item(names=_RECEIVED_MESSAGE, status=UNKNOWN),
    ),
    "POST /v1/threads/{id}/messages/{messageId}/report": (
        Item(names=_RECEIVED_MESSAGE, status=202, body={"text": "Rude"}),
        Item(names={**_RECEIVED_MESSAGE, "id": "own thread"}, status=202, body={"text": "Rude"}),
        Item(names=_OWN_MESSAGE, status=UNKNOWN, body={"text": "Rude"}),
    ),
    "PUT /v1/threads/{id}/read-mark": item("thread", 200, body={"number": 1}),
    "GET /v1/me/message-requests": SignedIn(status=200),
    "PUT /v1/me/message-requests/{id}": item("messageRequest", 204),
    "DELETE /v1/me/message-requests/{id}": item("messageRequest", 204),
    "GET /v1/me/recipients": SignedIn(status=200, shows=where(LISTED, "f")),
    "GET /v1/me/message-settings": SignedIn(status=200),
    "PUT /v1/me/message-settings": SignedIn(status=200, body={"policy": "anybody"}),
}
