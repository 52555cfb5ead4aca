"""The forms of classes that the routes of several domains have."""

from .rules import ACTS, CONFLICT, Item, Person, Rule, where

# The classes of routes, by operations such as `GET /v1/me`. An operation with several is asked in all of their ways.
Routes = dict[str, Rule | tuple[Rule, ...]]


def item(kind: str, status: int, **further) -> Item:
    """A route whose path names a thing by `id`."""
    return Item(names={"id": kind}, status=status, **further)


def act(status: int, letters: str, **further) -> Person:
    """An act toward a person, which nobody can do toward themself."""
    return Person(status=status, own=CONFLICT, reaches=where(ACTS, letters), **further)
