"""Mouse and touch gestures, event by event."""

from playwright.sync_api import Locator, Page

STEPS = 12


def center(locator: Locator) -> tuple[float, float]:
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag_with_mouse(
    page: Page, handle: Locator, target: Locator | None = None, down_to: float | None = None, drops: bool = True
) -> None:
    """Drags from the handle to beyond the middle of `target`, or to a height in the window."""
    x, y = center(handle)
    # Beyond the middle, in the direction of the drag.
    goal = down_to if target is None else center(target)[1] + (10 if center(target)[1] > y else -10)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, goal, steps=STEPS)
    if drops:
        page.mouse.up()


def drag_with_finger(page: Page, handle: Locator, target: Locator) -> None:
    x, y = center(handle)
    goal = center(target)[1] + (10 if center(target)[1] > y else -10)
    devtools = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        devtools.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    touch("touchStart", (x, y))
    for step in range(1, STEPS + 1):
        touch("touchMove", (x, y + (goal - y) * step / STEPS))
    touch("touchEnd")


def pull_down(page: Page, distance: float) -> None:
    """Pulls down with a finger, from near the upper edge of the window."""
    devtools = page.context.new_cdp_session(page)
    x, y = 180, 120

    def touch(kind: str, *heights: float) -> None:
        devtools.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": height} for height in heights]})

    touch("touchStart", y)
    for step in range(1, STEPS + 1):
        touch("touchMove", y + distance * step / STEPS)
    touch("touchEnd")


def swipe(page: Page, row: Locator, way: float, down: float = 0) -> None:
    """Swipes a row to a side with a finger, and down or up."""
    x, y = center(row)
    devtools = page.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        devtools.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    touch("touchStart", (x, y))
    for step in range(1, STEPS + 1):
        touch("touchMove", (x + way * step / STEPS, y + down * step / STEPS))
    touch("touchEnd")
