"""The class of every route, written by hand, with the smallest body that is valid: its status is then about access.

Operations that would call a service, and wait for a worker, get a query or a body that is refused after the check who
asks. No worker runs.
"""

from .items import SHOW, png
from .rules import (
    ACTS, CONFLICT, ERASED, FOLLOW_RESULTS, FORBIDDEN, FOUND, GUESSED, LINKED, LISTED, MALFORMED, NAMES, NOWHERE,
    OTHERS, OWN, REACTED, SEES, SHARED, SHARES, SUSPENDED, THINGS, UNKNOWN, Addressed, Administrator, Item, Linked,
    Open, Person, Rule, SignedIn, either, phrases, where)

_PNG = png()
_SONG = "spotify:4uLU6hMCjMI75M1A2tKUQC"


def _item(kind: str, status: int, **further) -> Item:
    """A route whose path names a thing by `id`."""
    return Item(names={"id": kind}, status=status, **further)


def _curated(path: str, kind: str) -> dict[str, Rule]:
    return {
        f"GET /v1/ai/{path}/{{id}}": _item(kind, 200),
        f"DELETE /v1/ai/{path}/{{id}}": _item(kind, 204),
        f"GET /v1/ai/{path}/{{id}}/sent": _item(kind, 200),
    }


def _own_share(status: int, **further) -> Item:
    """What only the sender does with a share."""
    return Item(names={"id": "songShare"}, status=status, targets=SHARES, **further)


def _share(status: int, own: int, **further) -> Person:
    """What everybody does with a share who sees it."""
    return Person(
        names={"id": "songShare"}, status=status, own=own, reaches=SHARED, targets=further.pop("targets", SHARES),
        **further)


def _person(status: int, letters: str, **further) -> Person:
    """An act toward a person, which nobody can do toward themself."""
    return Person(status=status, own=CONFLICT, reaches=where(ACTS, letters), **further)


ROUTES: dict[str, Rule | tuple[Rule, ...]] = {
    # Without account
    "GET /healthz": Open(status=200),
    "GET /readyz": Open(status=200),
    "GET /metrics": (Open(status=200, is_local=True), Administrator(status=200)),
    "GET /v1/auth": Open(status=200),
    # Nobody's token is unknown.
    "POST /v1/session": SignedIn(status=200, body={"token": "<own token>"}),
    # The invitation is unknown, and no client id is configured.
    "POST /v1/session/invitation": Open(status=401, body={"code": "bli_nobody", "username": "eve"}),
    "POST /v1/auth/google": Open(status=503, body={"idToken": "e30.e30.e30"}),
    "GET /v1/auth/google/start": Open(status=503),
    "GET /v1/auth/google/callback": Open(status=303),

    # The account
    "GET /v1/session": SignedIn(status=200),
    # A token has no session to end.
    "DELETE /v1/session": SignedIn(status=CONFLICT),
    "GET /v1/me": SignedIn(status=200),
    "PATCH /v1/me": SignedIn(status=200, body={"bio": "Hello"}),
    # The last administrator stays while others are here.
    "DELETE /v1/me": (
        SignedIn(
            status=204, administrator=CONFLICT, body={"username": "<own username>", "token": "<own token>"},
            ends=("blend_partners", "share_reactions", "notification_events", "notification_groups")),
        # Neither another person's name nor their token erases anybody.
        SignedIn(status=422, body={"username": "<username>", "token": "<own token>"}, targets=(OTHERS, GUESSED)),
        SignedIn(status=422, body={"username": "<own username>", "token": "<token of another>"}),
    ),
    # Each viewer has asked the target for a blend.
    # It names what the viewer has reacted to, as long as they see it.
    "GET /v1/me/export": SignedIn(
        status=200, shows=either(FOUND, where(LISTED, "frb")), shows_share=SHARED),
    "PUT /v1/me/picture": SignedIn(status=200, body=_PNG, content_type="image/png"),
    "DELETE /v1/me/picture": SignedIn(status=204),
    "GET /v1/me/tokens": SignedIn(status=200),
    "POST /v1/me/tokens": SignedIn(status=201, body={"name": "phone"}),
    "DELETE /v1/me/tokens/{id}": _item("token", 204),
    "GET /v1/me/sessions": SignedIn(status=200),
    "DELETE /v1/me/sessions/{id}": _item("session", 204),
    "GET /v1/invitations": SignedIn(status=200),
    "POST /v1/invitations": SignedIn(status=FORBIDDEN, administrator=201),
    "DELETE /v1/invitations/{id}": _item("invitation", 204),

    # People
    "GET /v1/users": (
        SignedIn(status=200, shows=FOUND),
        SignedIn(status=200, query="q=<username>", shows=FOUND),
        SignedIn(status=200, query="q=<display name>", shows=FOUND),
    ),
    "GET /v1/users/{username}": Person(status=200, own=200, shows=FOUND, shows_profile=True),
    "GET /v1/users/{username}/stats": Person(
        status=200, own=200, reaches=where(SEES, "p"), shows_profile=True),
    "GET /v1/pictures/people/{address}": Person(
        names={"address": "picture"}, status=200, own=200, reaches=where(ACTS, "s"), targets=THINGS),
    "GET /v1/users/suggestions": SignedIn(status=200),
    # A profile for followers is asked. This gives no right until its person accepts.
    "PUT /v1/users/{username}/follow": Person(
        status=200, own=CONFLICT, says=phrases(FOLLOW_RESULTS, f='"follow":"following"', r='"follow":"requested"')),
    "DELETE /v1/users/{username}/follow": Person(status=204, own=CONFLICT),
    "PUT /v1/users/{username}/block": _person(204, "b"),
    "DELETE /v1/users/{username}/block": _person(204, "b"),
    "POST /v1/users/{username}/report": _person(202, "b", body={"text": "Unkind"}),
    "DELETE /v1/me/followers/{username}": _person(204, "r"),
    "PUT /v1/me/follow-requests/{username}": _person(204, "a"),
    "DELETE /v1/me/follow-requests/{username}": _person(204, "d"),
    "GET /v1/me/following": SignedIn(status=200, shows=where(LISTED, "f")),
    "GET /v1/me/followers": SignedIn(status=200, shows=where(LISTED, "r")),
    "GET /v1/me/blocked": SignedIn(status=200, shows=where(LISTED, "b")),
    "GET /v1/me/follow-requests": SignedIn(status=200),

    # Administrators
    "GET /v1/admin/overview": Administrator(status=200),
    "GET /v1/admin/workers": Administrator(status=200),
    "GET /v1/admin/permits": Administrator(status=200),
    "GET /v1/admin/series": Administrator(status=200),
    "GET /v1/admin/dead-letters": Administrator(status=200),
    "GET /v1/admin/accounts": Administrator(status=200),
    "GET /v1/admin/reports": Administrator(status=200),
    "GET /v1/admin/pushes": Administrator(status=200),
    "POST /v1/admin/jobs/{id}/requeue": Administrator(names={"id": "deadLetter"}, status=202, targets=THINGS),
    # An administrator does not decide about a report of themself.
    "POST /v1/admin/reports/{id}/decision": Administrator(
        names={"id": "report"}, status=204, own=CONFLICT, body={"decision": "nothing"}, targets=THINGS),
    "DELETE /v1/admin/accounts/{username}": Administrator(
        status=204, own=CONFLICT, body={"token": "<own token>"}, targets=NAMES),
    "PUT /v1/admin/accounts/{username}/suspension": Administrator(status=204, own=CONFLICT, targets=NAMES),
    "DELETE /v1/admin/accounts/{username}/suspension": Administrator(status=204, targets=NAMES),
    "PUT /v1/admin/accounts/{username}/administrator": Administrator(
        status=204, suspended=CONFLICT, targets=NAMES),
    # The last administrator stays while others are here.
    "DELETE /v1/admin/accounts/{username}/administrator": Administrator(status=204, own=CONFLICT, targets=NAMES),

    # Jobs and events
    "POST /v1/jobs": SignedIn(status=202, body={"kind": "diagnostics.echo"}),
    "GET /v1/jobs": SignedIn(status=200),
    "POST /v1/jobs/batch": SignedIn(status=202, body={"jobs": [{"kind": "diagnostics.echo"}]}),
    "GET /v1/jobs/summary": SignedIn(status=200),
    "GET /v1/jobs/{id}": _item("job", 200),
    "POST /v1/jobs/{id}/cancel": _item("job", 200),
    "POST /v1/jobs/{id}/requeue": _item("deadLetter", 202),
    "GET /v1/events": SignedIn(status=200, is_endless=True),
    # Everything since the viewer came. Its notifications have the name of each target who has reacted.
    "GET /v1/changes": (
        SignedIn(status=200, shows=REACTED, shows_share=SHARED),
        SignedIn(status=200, query="since=<since>", shows=REACTED, shows_share=SHARED),
    ),

    # Concerts
    "GET /v1/artists": SignedIn(status=200),
    "PUT /v1/artists": SignedIn(status=200, body={"artists": ["Air"]}),
    "POST /v1/artists": SignedIn(status=201, body={"name": "Moby"}),
    "POST /v1/artists/reset": SignedIn(status=422, body={"timeRange": "never"}),
    "DELETE /v1/artists/{id}": _item("artist", 204),
    "POST /v1/artists/{id}/move": _item("artist", 200, body={"to": 1}),
    "GET /v1/concert-searches": SignedIn(status=200),
    "POST /v1/concert-searches": SignedIn(status=202, body={"artists": ["Air"]}),
    "GET /v1/concert-searches/{id}": _item("search", 200),
    # It has found no show with a date, and has ended.
    "GET /v1/concert-searches/{id}.ics": _item("search", CONFLICT),
    "POST /v1/concert-searches/{id}/cancel": _item("search", CONFLICT),
    "POST /v1/concert-searches/{id}/retry": _item("search", 202),
    "GET /v1/concerts/nearby": SignedIn(status=422),
    # Shows belong to nobody.
    "GET /v1/concerts/{id}": (
        SignedIn(names={"id": SHOW}, status=200),
        SignedIn(names={"id": "none"}, status=404),
    ),
    "GET /v1/concerts/{id}.ics": (
        SignedIn(names={"id": SHOW}, status=200),
        SignedIn(names={"id": "none"}, status=404),
    ),
    "GET /v1/me/calendar": SignedIn(status=200),
    "POST /v1/me/calendar": SignedIn(status=201, body={}),
    "PATCH /v1/me/calendar": SignedIn(status=200, body={"places": "anywhere"}),
    "DELETE /v1/me/calendar": SignedIn(status=204),
    # It has an address of its own, which shows it whatever the profile is.
    "GET /v1/calendar/{secret}.ics": Linked(names={"secret": "calendarToken"}, status=200, ends_when_private=False),
    "HEAD /v1/calendar/{secret}.ics": Linked(names={"secret": "calendarToken"}, status=200, ends_when_private=False),

    # Shares
    "POST /v1/shares": (
        Item(status=201, unknown=422, malformed=422, body={"song": {"libraryTrackId": "<sharedTrack>"}}),
        Item(status=201, unknown=422, malformed=422, body={"song": {"listId": "<playlistMade>", "itemId": "<track>"}}),
        Item(status=201, unknown=422, malformed=422, body={"song": {"listenId": "<listen>"}}),
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

    # Notifications
    # Each target has reacted to what the viewer shares. What they share is not in it.
    "GET /v1/notifications": SignedIn(status=200, shows=REACTED),
    "GET /v1/notifications/unread": SignedIn(status=200),
    "PUT /v1/notifications/read-mark": SignedIn(status=200, body={"number": 1}),
    "POST /v1/notifications/seen": SignedIn(status=204, body={"seq": 1, "ids": ["<notification>"]}),
    "GET /v1/notifications/settings": SignedIn(status=200),
    "PUT /v1/notifications/settings": SignedIn(status=200, body={"policy": "anybody"}),
    "GET /v1/notifications/web-push": SignedIn(status=200),
    "GET /v1/me/push-targets": SignedIn(status=200),
    "GET /v1/me/push-targets/{id}": _item("pushTarget", 200),
    # The id is the client's own: whoever else has it has another target.
    "PUT /v1/me/push-targets/{id}": _item(
        "pushTarget", 200, unknown=201, malformed=404,
        body={"ntfy": {"server": "https://ntfy.sh", "topic": "backline-test"}}),
    "DELETE /v1/me/push-targets/{id}": _item("pushTarget", 204),

    # The feed
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

    # The catalog and pictures, which belong to nobody
    "GET /v1/artists/search": SignedIn(status=422),
    "GET /v1/artists/top": SignedIn(status=422, query="timeRange=never"),
    "GET /v1/tracks/top": SignedIn(status=422, query="timeRange=never"),
    "GET /v1/search": SignedIn(status=422),
    "GET /v1/catalog/{source}/{type}/{id}": SignedIn(
        names={"source": "none", "type": "none", "id": "none"}, status=404),
    "GET /v1/pictures/{picture}": SignedIn(names={"picture": "none"}, status=404),
    "GET /v1/previews": SignedIn(status=422),

    # Services
    "GET /v1/setup": SignedIn(status=200),
    "PUT /v1/setup/gemini": SignedIn(status=422, body={}),
    "PUT /v1/setup/ticketmaster": SignedIn(status=422, body={}),
    "PUT /v1/setup/apple-music": SignedIn(status=422, body={}),
    "DELETE /v1/setup/gemini": SignedIn(status=204),
    "DELETE /v1/setup/ticketmaster": SignedIn(status=204),
    "DELETE /v1/setup/apple-music": SignedIn(status=204),
    # Neither a developer key nor a client id is configured.
    "POST /v1/setup/apple-music/sign-in": SignedIn(status=503),
    "POST /v1/setup/spotify/authorize": SignedIn(status=503, body={}),
    "PUT /v1/setup/spotify/app": SignedIn(status=422, body={}),
    "DELETE /v1/setup/spotify/app": SignedIn(status=200),
    "GET /v1/setup/spotify/callback": SignedIn(status=303),
    "POST /v1/setup/spotify/callback": SignedIn(status=422, body={"code": "c", "state": "s"}),
    "POST /v1/setup/spotify/account": SignedIn(status=422, body={"id": "q", "answer": "cancel"}),
    "DELETE /v1/setup/spotify": SignedIn(status=200),

    # Lists that are made
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
        _person(204, "p", unknown=CONFLICT, body={"answer": "block"}),
    ),
    # It ends a request, or a block. Whom the viewer cannot see has the name here by which the viewer has asked.
    "DELETE /v1/ai/blend-partners/{username}": _person(
        204, "u", unknown=CONFLICT, targets=(OWN, OTHERS, GUESSED, MALFORMED, SUSPENDED, ERASED)),
    "POST /v1/ai/playlists": (
        SignedIn(status=202, body={"prompt": "rain"}),
        Item(status=202, unknown=202, malformed=422, body={"prompt": "rain", "exclude": {"tracks": ["<track>"]},
              "seed": 1}),
    ),
    "GET /v1/ai/playlists": SignedIn(status=200),
    "DELETE /v1/ai/playlists/{id}/tracks/{trackId}": Item(
        names={"id": "playlistMade", "trackId": "track"}, status=204),
    "POST /v1/ai/playlists/{id}/refinements": _item("playlistMade", 202, body={"prompt": "less rain"}),
    "POST /v1/ai/playlists/{id}/save": _item("playlistMade", 202, body={"to": "spotify"}),
    "POST /v1/ai/blends/{id}/save": _item("blend", 202, body={"to": "spotify"}),
    "POST /v1/ai/recommendations/{id}/save": _item("recommendations", 202, body={"to": "spotify"}),
    "PUT /v1/ai/model": SignedIn(status=204, body={"choice": "none"}),
    "GET /v1/ai/estimate": SignedIn(status=200),
    "POST /v1/ai/recommendations": (
        SignedIn(status=202, body={"size": 5}),
        Item(status=202, malformed=422, body={"basedOn": ["<track>"]}),
    ),
    "GET /v1/ai/recommendations": SignedIn(status=200),
    "POST /v1/ai/growth": Item(status=202, body={"playlistId": "<playlist>"}),
    "GET /v1/ai/dismissals": SignedIn(status=200),
    "PUT /v1/ai/dismissals/{id}": _item("track", 204),
    # The second time changes nothing, and nor does a song that the viewer has not dismissed.
    "DELETE /v1/ai/dismissals/{id}": _item("otherTrack", 204, unknown=204, malformed=404),
    **_curated("playlists", "playlistMade"),
    **_curated("recommendations", "recommendations"),
    **_curated("growth", "growth"),
    **_curated("blends", "blend"),

    # The library
    "GET /v1/library/summary": SignedIn(status=200),
    "GET /v1/library/tracks": SignedIn(status=200),
    "GET /v1/library/tracks/{id}": _item("track", 200),
    "GET /v1/library/tracks/{id}/identity": _item("track", 200),
    "GET /v1/library/tracks/{id}/preview": _item("track", 200),
    "GET /v1/library/albums": SignedIn(status=200),
    "GET /v1/library/albums/{id}": _item("album", 200),
    "GET /v1/library/playlists": SignedIn(status=200),
    "GET /v1/library/playlists/{id}": _item("playlist", 200),
    "GET /v1/library/playlists/{id}/export": _item("playlist", 200),
    "GET /v1/library/changes": (
        SignedIn(status=200),
        Item(status=200, unknown=200, malformed=422, query="trackId=<track>"),
    ),
    "GET /v1/library/duplicates": SignedIn(status=200),
    "GET /v1/library/decisions": SignedIn(status=200),
    "DELETE /v1/library/decisions/{id}": _item("decision", 200),
    "POST /v1/library/tracks/{id}/split": _item("track", 200, body={"sourceTrackIds": ["<sourceTrack>"]}),
    "POST /v1/library/merges": Item(status=200, malformed=422, body={"trackIds": ["<track>", "<otherTrack>"]}),
    "POST /v1/library/splits": Item(status=200, malformed=422, body={"trackIds": ["<track>", "<otherTrack>"]}),
    "GET /v1/library/settings": SignedIn(status=200),
    "PATCH /v1/library/settings": SignedIn(status=200, body={"remastersAreSame": False}),
    "GET /v1/library/export": SignedIn(status=200),
    "POST /v1/library/imports": SignedIn(
        status=202, query="filename=songs.csv", body=b"Title,Artist\nTeardrop,Massive Attack\n",
        content_type="application/octet-stream"),
    "GET /v1/library/imports": SignedIn(status=200),
    "GET /v1/library/imports/{id}": _item("import", 200),
    "DELETE /v1/library/imports/{id}": _item("import", 202),
    "POST /v1/library/syncs": SignedIn(status=202, body={}),
    "GET /v1/library/syncs/latest": SignedIn(status=200),
    "POST /v1/library/errors/dismiss": SignedIn(status=200),
    "GET /v1/library/sources/{source}/removal": SignedIn(names={"source": "spotify"}, status=200),
    "POST /v1/library/sources/{source}/account": SignedIn(
        names={"source": "spotify"}, status=CONFLICT, body={"same": True}),
    "PUT /v1/library/tracks/{id}/saved": _item("track", 202, body={"source": "spotify"}),
    "DELETE /v1/library/tracks/{id}/saved": _item("track", 202, body={"source": "spotify"}),
    "POST /v1/library/playlists": (
        SignedIn(status=202, body={"name": "New", "source": "spotify", "trackIds": [_SONG]}),
        Item(status=202, malformed=422, body={"name": "New", "source": "spotify", "trackIds": ["<track>"]}),
    ),
    "PATCH /v1/library/playlists/{id}": _item("playlist", 202, body={"name": "Evening"}),
    "POST /v1/library/playlists/{id}/tracks": (
        _item("playlist", 202, body={"trackIds": [_SONG]}),
        # Another person's song cannot be put into one's own playlist.
        Item(names={"id": "own playlist"}, status=202, malformed=422, body={"trackIds": ["<track>"]}),
    ),
    "DELETE /v1/library/playlists/{id}/tracks": _item("playlist", 202, body={"version": "2-0", "positions": [0]}),
    "POST /v1/library/playlists/{id}/copies": _item("playlist", 202, body={"to": "appleMusic"}),
    "GET /v1/library/copies/{id}": _item("copy", 200),
    "POST /v1/library/copies/{id}/choices": (
        _item("copy", 202, body={"choices": [{"position": 0, "leaveOut": True}]}),
        Item(names={"id": "own copy"}, status=202, unknown=422, malformed=422,
             body={"choices": [{"position": 0, "uri": "<track>"}]}),
    ),
    "POST /v1/library/copies/{id}/answer": _item("unclearCopy", 202, body={"done": False}),
    "GET /v1/library/edits": SignedIn(status=200),
    "GET /v1/library/edits/{id}": _item("edit", 200),
    "POST /v1/library/edits/{id}/answer": _item("edit", 202, body={"done": True}),
    "POST /v1/library/edits/{id}/missing": _item("failedEdit", 200, body={"putBack": False}),

    # Listening
    "GET /v1/listening/listens": SignedIn(status=200),
    "DELETE /v1/listening/listens/{id}": _item("listen", 204),
    "GET /v1/listening/recent": SignedIn(status=200),
    "GET /v1/listening/export": SignedIn(status=200),
    "GET /v1/listening/stats": SignedIn(status=200),
    "GET /v1/listening/history": Item(status=200, unknown=200, malformed=422, query="trackId=<track>"),
    "GET /v1/listening/feedback": SignedIn(status=200),
    "DELETE /v1/listening/feedback/{id}": _item("feedback", 204),
    "GET /v1/listening/sources": SignedIn(status=200),
    "DELETE /v1/listening/sources/{source}": SignedIn(names={"source": "listenBrainz"}, status=202),
}

# What the document does not describe: the ListenBrainz API, in which other people do not exist.
_LISTENER = Person(status=200, own=200, reaches=NOWHERE)
BESIDE: dict[str, Rule | tuple[Rule, ...]] = {
    "GET /1/user/{username}/listens": _LISTENER,
    "GET /1/user/{username}/listen-count": _LISTENER,
    "GET /1/user/{username}/playing-now": _LISTENER,
    "GET /1/user/{username}/following": _LISTENER,
    "GET /1/user/{username}/followers": _LISTENER,
    "GET /1/stats/user/{username}/artists": _LISTENER,
    "GET /1/feedback/user/{username}/get-feedback": _LISTENER,
    "GET /1/latest-import": Person(status=200, own=200, reaches=NOWHERE, query="user_name=<username>"),
}
