"""Messages between two people, through the API and on the pages."""

import uuid

from playwright.sync_api import Locator, Page

from .installation import Installation, Person
from .people import follow, named
from .visitor import Visitor


def friends_of(visit, backline: Installation):
    """Makes two visitors, Ada and Grace, who follow each other, and the id of their thread."""

    def make(**context) -> tuple[Visitor, Visitor, str]:
        ada = named(visit, backline, "Ada Lovelace", **context)
        grace = named(visit, backline, "Grace Hopper", **context)
        follow(backline, ada.person, grace.person)
        follow(backline, grace.person, ada.person)
        return ada, grace, thread(backline, ada.person, grace.person)["id"]

    return make


def counter(visitor: Visitor, name: str = "Messages") -> Locator:
    """The link to the messages in the header."""
    return visitor.page.get_by_role("banner").get_by_role("link", name=name, exact=True)


def thread(backline: Installation, person: Person, other: Person) -> dict:
    """The thread of two people, as one of them sees it."""
    return backline.ask(person, "PUT", f"/v1/users/{other.name}/thread")


def write(backline: Installation, sender: Person, recipient: Person, text: str | None, song: dict | None = None) -> dict:
    """Sends a message. Returns it as its sender sees it."""
    draft = {**({} if text is None else {"text": text}), **({} if song is None else {"song": song})}
    path = f"/v1/threads/{thread(backline, sender, recipient)['id']}/messages/{uuid.uuid4()}"
    return backline.ask(sender, "PUT", path, draft)


def texts(backline: Installation, person: Person, thread_id: str) -> list[str | None]:
    """The texts of a thread's messages, the oldest first."""
    items = backline.ask(person, "GET", f"/v1/threads/{thread_id}/messages?limit=100")["items"]
    return [one["text"] for one in reversed(items)]


def shown(page: Page) -> Locator:
    """The messages on the page of a thread."""
    return page.get_by_role("log").get_by_role("listitem").and_(page.locator(".message"))


def field(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Message", exact=True)


def rows(page: Page, name: str = "Conversations") -> Locator:
    """The rows of a list of threads."""
    return page.get_by_role("list", name=name, exact=True).get_by_role("listitem")


def choose(page: Page, message: Locator, action: str) -> None:
    """Chooses an action in the menu of a message."""
    message.get_by_role("button", name="Actions for the message of").click()
    page.get_by_role("menuitem", name=action).click()
