"""The classes of the routes of shares."""

from ..forms import Routes
from ..rules import (
    CONFLICT, ERASED, GUESSED, LINKED, MALFORMED, OTHERS, REACTED, SHARED, SHARES, SUSPENDED, UNKNOWN, Item, Linked,
    Person, SignedIn)


def _own_share(status: int, **further) -> Item:
    """What only the sender does with a share."""
    return Item(names={"id": "songShare"}, status=status, targets=SHARES, **further)


def _share(status: int, own: int, **further) -> Person:
    """What everybody does with a share who sees it."""
    return Person(
        names={"id": "songShare"}, status=status, own=own, reaches=SHARED, targets=further.pop("targets", SHARES),
        **further)


ROUTES: Routes = {
    "POST /v1/shares": (
        Item(status=201, unknown=422, malformed=422, body={"song": {"libraryTrackId": "<sharedTrack>"}}),
        Item(status=201, unknown=422, malformed=422, body={"song": {"listId": "<playlistMade>", "itemId": "<track>"}}),
        Item(status=201, unknown=422, malformed=422, body={"song": {"listenId": "<listen>"}}),
        Item(status=201, unknown=422, malformed=422, body={"song": {"messageId": "<songMessage>"}}),
        # The song of a share that the viewer sees may be shared on.
        _share(201, 201, unknown=422, shows_share=SHARED, body={"song": {"shareId": "<songShare>"}}),
        SignedIn(status=422, body={"message": "Listen"}),
    ),
    # The id is the client's own: whoever else has taken it has another share. It is known for good.
    "PUT /v1/shares/{id}": (
        Item(names={"id": "shareDraft"}, status=200, unknown=201, malformed=422,
             body={"song": {"libraryTrackId": "<own sharedTrack>"}}),
        Item(names={"id": "shareDraft"}, status=CONFLICT, unknown=201, malformed=422,
             body={"song": {"libraryTrackId": "<own sharedTrack>"}, "message": "Listen"}),
    ),
    "GET /v1/shares/{id}": _share(200, 200, shows=SHARED, shows_share=SHARED),
    # Reactions to it go with it.
    "DELETE /v1/shares/{id}": _own_share(204, ends=("share_reactions",)),
    # Reactions are for what others share.
    "PUT /v1/shares/{id}/reaction": _share(204, CONFLICT, body={"reaction": "fire"}),
    "DELETE /v1/shares/{id}/reaction": _share(204, CONFLICT),
    "PUT /v1/shares/{id}/thanks": _share(204, CONFLICT),
    "DELETE /v1/shares/{id}/thanks": _share(204, CONFLICT),
    "GET /v1/shares/{id}/reactions": (
        _share(200, 200, targets=(OTHERS, GUESSED, MALFORMED, SUSPENDED, ERASED)),
        SignedIn(names={"id": "own songShare"}, status=200, shows=REACTED),
    ),
    # Where the viewer's own services have the song, or a search for its title.
    "GET /v1/shares/{id}/song": _share(200, 200, shows_share=SHARED),
    "GET /v1/shares/{id}/links": _own_share(200),
    # A private profile has no links.
    "POST /v1/shares/{id}/links": _own_share(201, private=CONFLICT, body={}),
    "DELETE /v1/shares/{id}/links/{linkId}": (
        Item(names={"id": "songShare", "linkId": "shareLink"}, status=204, targets=SHARES),
        # The second time changes nothing, and nor does a link that the viewer's share does not have.
        Item(names={"id": "own songShare", "linkId": "shareLink"}, status=204, unknown=204, malformed=404,
             targets=SHARES),
    ),
    "GET /v1/me/shares": SignedIn(status=200),
    "GET /v1/users/{username}/shares": Person(
        status=200, own=200, reaches=SHARED, shows=SHARED, shows_share=SHARED),
    "PUT /v1/me/pin": _own_share(200, body={"shareId": "<songShare>"}),
    "DELETE /v1/me/pin": SignedIn(status=204),
    "GET /p/{token}": (
        Linked(names={"token": "linkToken"}, status=200, shows_share=LINKED),
        Linked(names={"token": "namedLinkToken"}, status=200, shows=LINKED, shows_share=LINKED),
    ),
    # Nobody has seen the song's picture, which this does not fetch.
    "GET /p/{token}/picture": Linked(names={"token": "linkToken"}, status=UNKNOWN),
}
