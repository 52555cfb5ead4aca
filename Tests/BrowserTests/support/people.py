"""People who follow each other, through the API and on the pages."""

from playwright.sync_api import Locator, Page

from .installation import Installation, Person
from .visitor import Visitor


def change(backline: Installation, person: Person, **profile) -> None:
    backline.ask(person, "PATCH", "/v1/me", profile)


def follow(backline: Installation, follower: Person, *others: Person) -> None:
    for other in others:
        backline.ask(follower, "PUT", f"/v1/users/{other.name}/follow")


def usernames(backline: Installation, person: Person, kind: str) -> list[str]:
    """Those in a list of the person, such as `following`, newest first."""
    return [one["username"] for one in backline.ask(person, "GET", f"/v1/me/{kind}")["items"]]


def people(page: Page, name: str) -> Locator:
    """The rows of a list of people."""
    return page.get_by_role("list", name=name, exact=True).get_by_role("listitem")


def person(page: Page, name: str, shown: str) -> Locator:
    """The row of the person who is shown under a name."""
    return people(page, name).filter(has_text=shown)


def named(visit, backline: Installation, name: str, *options: str, **context) -> Visitor:
    """A visitor whose account has a display name."""
    visitor = visit(backline, options, **context)
    change(backline, visitor.person, displayName=name)
    return visitor
