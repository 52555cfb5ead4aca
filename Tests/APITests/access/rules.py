"""What each kind of person gets from each route: the part of the matrix that is written by hand.

A route belongs to a class, which says who may do it. The classes know nothing of the product's code: they say what the
documents promise. A route that is missing here, and a route here that the API's document does not have, fail the test.

Values of paths, queries and bodies in angle brackets name what the request is about, by a kind of `items.ids_of`, or
`<username>`. The matrix fills in what the viewer has, what the target has, and what nobody has.
"""

from dataclasses import dataclass, field

from .people import NOBODIES, SOMEBODIES, VISIBILITIES

UNAUTHORIZED, FORBIDDEN, UNKNOWN, CONFLICT = 401, 403, 404, 409

# Whose the thing or the name is that a request is about: the viewer's, the target's, nobody's, not even of the right
# form; or, where it is a name, that of somebody who is suspended or erased, or one that the target had before.
OWN, OTHERS, GUESSED, MALFORMED = "own", "other's", "guessed", "malformed"
SUSPENDED, ERASED, FORMER = "suspended", "erased", "former"
THINGS = (OWN, OTHERS, GUESSED, MALFORMED)
# Of what people show to others.
SHARES = (*THINGS, SUSPENDED, ERASED)
NAMES = (OWN, OTHERS, GUESSED, MALFORMED, SUSPENDED, ERASED, FORMER)


def _table(text: str) -> dict[tuple[str, str], str]:
    """A table of letters: a row for each viewer, a column for each visibility of the target's profile."""
    table = {}
    for line in text.strip().splitlines():
        viewer, *letters = line.split()
        table.update({(viewer, visibility): letter for visibility, letter in zip(VISIBILITIES, letters, strict=True)})
    viewers = [viewer for viewer in SOMEBODIES if viewer != "self"]
    assert set(table) == {(viewer, visibility) for viewer in viewers for visibility in VISIBILITIES}
    return table


# What a viewer sees of a target: p the profile with the stats, c only the card (name and picture), - nothing.
SEES = _table("""
    stranger       p  c  -
    follower       p  p  -
    followed       p  c  -
    mutual         p  p  -
    blocked        -  -  -
    blocker        -  -  -
    administrator  p  c  -
""")

# What following leads to: f follows, r has asked, - reaches nobody.
FOLLOW_RESULTS = _table("""
    stranger       f  r  -
    follower       f  f  -
    followed       f  r  -
    mutual         f  f  -
    blocked        -  -  -
    blocker        -  -  -
    administrator  f  r  -
""")

# How the viewer can act toward the target: s sees their picture, r removes them from the followers, a accepts them as a
# follower, d declines them, b blocks, unblocks or reports them, p blocks them as a partner of blends, u ends a request
# or a block there. Even a private person shows themself to those whom they follow, and who has blocked somebody can end
# that.
ACTS = _table("""
    stranger       srdbpu  srdbpu  -
    follower       srdbpu  srdbpu  -
    followed       srdbpua srdbpua srba
    mutual         srdbpua srdbpua srba
    blocked        -       -       -
    blocker        bpu     bpu     bpu
    administrator  srdbpu  srdbpu  -
""")

# The lists in which the viewer sees the target: f for those whom the viewer follows, r for followers, b for blocked.
LISTED = _table("""
    stranger       -  -  -
    follower       f  f  -
    followed       r  r  r
    mutual         fr fr r
    blocked        -  -  -
    blocker        b  b  b
    administrator  -  -  -
""")


def where(table: dict[tuple[str, str], str], letters: str) -> dict[tuple[str, str], bool]:
    return {cell: any(letter in letters for letter in word) for cell, word in table.items()}


def either(*tables: dict[tuple[str, str], bool]) -> dict[tuple[str, str], bool]:
    return {cell: any(table[cell] for table in tables) for cell in tables[0]}


def phrases(table: dict[tuple[str, str], str], **words: str) -> dict[tuple[str, str], str]:
    return {cell: words[letter] for cell, letter in table.items() if letter in words}


NOWHERE = dict.fromkeys(SEES, False)
FOUND = where(SEES, "pc")
# Who sees what the target shares: whoever sees the profile.
SHARED = where(SEES, "p")
# To whom links show it: to everybody, unless the profile is private. A block does not reach who needs no account.
LINKED = {(viewer, visibility): visibility != "private" for viewer, visibility in SEES}
# Who sees that the target has reacted to what they have shared: whoever sees the target's picture. Others are counted.
REACTED = where(ACTS, "s")


@dataclass(frozen=True)
class Expectation:
    """What a cell has to be answered."""

    status: int
    # Whether the answer has to be that for something that nobody has, to the byte.
    is_like_unknown: bool = False
    # Whether nothing at all may change.
    is_refused: bool = False


def refused(status: int) -> Expectation:
    return Expectation(status, is_refused=True)


@dataclass(frozen=True, kw_only=True)
class Rule:
    """A class of routes. `expect` says what a cell has to be answered."""

    query: str = ""
    body: object = None
    content_type: str = "application/json"
    # The kind of thing that a path's parameter names.
    names: dict[str, str] = field(default_factory=dict)
    # Whether the answer does not end.
    is_endless: bool = False
    # Whether it is asked from the gateway's own machine.
    is_local: bool = False
    # To whom the answer shows the target's card; it does not to anybody else.
    shows: dict[tuple[str, str], bool] = field(default_factory=lambda: NOWHERE)
    # Whether it shows the rest of the profile, and the stats, to those who see them.
    shows_profile: bool = False
    # To whom it shows what the target shares.
    shows_share: dict[tuple[str, str], bool] = field(default_factory=lambda: NOWHERE)
    # Whether it shows the viewer what they alone have, so that it would show that of others as well.
    shows_own: bool = False
    # Whether it answers also who has no account.
    needs_no_account: bool = False
    # Whether it notes that the viewer was there, although it only asks.
    notes_visit: bool = False
    # What the answer about the target contains, where it says more than a status.
    says: dict[tuple[str, str], str] = field(default_factory=dict)
    # The tables in which it also ends what the target has of the viewer.
    ends: tuple[str, ...] = ()
    targets: tuple[str, ...] = (OTHERS,)

    def expect(self, viewer: str, visibility: str, target: str) -> Expectation:
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class Open(Rule):
    """A route without account, which answers everybody alike."""

    status: int

    def expect(self, viewer, visibility, target):
        return Expectation(self.status, is_refused=self.status >= 400)


@dataclass(frozen=True, kw_only=True)
class SignedIn(Rule):
    """A route by which everybody reads or changes what is theirs, and that names nothing else."""

    status: int
    administrator: int | None = None

    def expect(self, viewer, visibility, target):
        if viewer in NOBODIES:
            return refused(UNAUTHORIZED)
        status = self.administrator if viewer == "administrator" and self.administrator else self.status
        return Expectation(status, is_refused=status >= 400)


@dataclass(frozen=True, kw_only=True)
class Item(Rule):
    """A route about a thing that exists only for the person whose it is."""

    status: int
    # For what the viewer does not have.
    unknown: int = UNKNOWN
    # For text that is no id, where that may be refused as such: it says nothing about what others have.
    malformed: int | None = None
    # For what the viewer has while their profile is private.
    private: int | None = None
    targets: tuple[str, ...] = THINGS

    def expect(self, viewer, visibility, target):
        if viewer in NOBODIES:
            return refused(UNAUTHORIZED)
        if target == OWN:
            is_private = (viewer, visibility) == ("self", "private")
            status = self.private or self.status if is_private else self.status
            return Expectation(status, is_refused=status >= 400)
        status = self.malformed or self.unknown if target == MALFORMED else self.unknown
        is_like_unknown = target not in (GUESSED, MALFORMED)
        return Expectation(status, is_like_unknown=is_like_unknown, is_refused=status >= 400)


@dataclass(frozen=True, kw_only=True)
class Person(Rule):
    """A route about a person whom the path or the query names. Whom the viewer may not see is answered like nobody."""

    status: int
    # For oneself.
    own: int
    # Which viewers reach the target.
    reaches: dict[tuple[str, str], bool] = field(default_factory=lambda: FOUND)
    unknown: int = UNKNOWN
    targets: tuple[str, ...] = NAMES

    def expect(self, viewer, visibility, target):
        if viewer in NOBODIES:
            return refused(UNAUTHORIZED)
        if target == OWN:
            return Expectation(self.own, is_refused=self.own >= 400)
        # To a neighbor, the target is a stranger.
        standing = "stranger" if viewer == "self" else viewer
        if target == OTHERS and self.reaches[standing, visibility]:
            return Expectation(self.status, is_refused=self.status >= 400)
        is_unknown = target not in (GUESSED, MALFORMED)
        return Expectation(self.unknown, is_like_unknown=is_unknown, is_refused=self.unknown >= 400)


@dataclass(frozen=True, kw_only=True)
class Addressed(Rule):
    """A route that reaches a person without showing whether it does: all names are answered alike."""

    status: int
    # For oneself, and for whom the viewer has blocked.
    own: int
    blocker: int | None = None
    targets: tuple[str, ...] = NAMES

    def expect(self, viewer, visibility, target):
        if viewer in NOBODIES:
            return refused(UNAUTHORIZED)
        if target == OWN:
            return Expectation(self.own, is_refused=self.own >= 400)
        if (viewer, target) == ("blocker", OTHERS) and self.blocker:
            return refused(self.blocker)
        is_like_unknown = target not in (GUESSED, MALFORMED)
        return Expectation(self.status, is_like_unknown=is_like_unknown, is_refused=self.status >= 400)


@dataclass(frozen=True, kw_only=True)
class Linked(Rule):
    """What is at an address with a secret, for everybody alike. It ends when who made it is suspended or erased, or has
    a private profile."""

    status: int
    ends_when_private: bool = True
    needs_no_account: bool = True
    targets: tuple[str, ...] = SHARES

    def expect(self, viewer, visibility, target):
        # The viewers have public profiles, beside the target themself.
        is_private = visibility == "private" and (target == OTHERS or viewer == "self")
        if target in (OWN, OTHERS) and not (is_private and self.ends_when_private):
            return Expectation(self.status, is_refused=self.status >= 400)
        return Expectation(UNKNOWN, is_like_unknown=target not in (GUESSED, MALFORMED), is_refused=True)


@dataclass(frozen=True, kw_only=True)
class Administrator(Rule):
    """A route for administrators, who see and reach everybody. Others get the same answer whatever they name."""

    status: int
    # For what the administrator has, and for themself.
    own: int | None = None
    unknown: int = UNKNOWN
    # Other than `status` or `unknown`, for what is somebody's who is suspended.
    suspended: int | None = None

    def expect(self, viewer, visibility, target):
        if viewer in NOBODIES:
            return refused(UNAUTHORIZED)
        if viewer != "administrator":
            is_like_unknown = target != GUESSED and GUESSED in self.targets
            return Expectation(FORBIDDEN, is_like_unknown=is_like_unknown, is_refused=True)
        status = {
            OWN: self.own or self.status, OTHERS: self.status, SUSPENDED: self.suspended or self.status,
        }.get(target, self.unknown)
        return Expectation(status, is_refused=status >= 400)
