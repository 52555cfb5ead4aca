"""Songs that people share. What they share is a song that they have played, which needs no service."""

import uuid

from playwright.sync_api import Locator, Page

from . import listens
from .installation import Installation, Person


def played(backline: Installation, person: Person, *titles: str, artist: str = "Adele") -> dict[str, str]:
    """Lets a person play songs. Returns the ids of the listens by their titles."""
    token = listens.token(backline, person)
    listens.submit(backline, token, *[
        listens.listen(title, artist, ago=300 * number) for number, title in enumerate(titles, start=1)])
    found = backline.ask(person, "GET", "/v1/listening/listens?limit=200")["items"]
    return {one["title"]: one["id"] for one in found}


def share(backline: Installation, person: Person, *titles: str, message: str | None = None) -> list[dict]:
    """Shares songs, one after another. Returns the shares in this order."""
    ids = played(backline, person, *titles)
    return [share_listen(backline, person, ids[title], message) for title in titles]


def share_listen(backline: Installation, person: Person, listen: str, message: str | None = None) -> dict:
    return backline.ask(person, "PUT", f"/v1/shares/{uuid.uuid4()}", {
        "song": {"listenId": listen}, **({} if message is None else {"message": message})})


def cards(page: Page) -> Locator:
    """The cards of shares, in the feed or in a list."""
    return page.locator(".share-card")


def card(page: Page, title: str) -> Locator:
    return cards(page).filter(has=page.get_by_role("link", name=f"{title} by"))


def choose(page: Page, shown: Locator, action: str) -> None:
    """Chooses an action in the menu of a card."""
    shown.locator(".card-head").get_by_role("button").click()
    page.get_by_role("menuitem", name=action).click()
