"""Checks that the parts of a page are in place: not too close to each other, and in line with what they belong to."""

from playwright.sync_api import Page

# The smallest distance in pixels between buttons, and between a box and the heading or box above it.
LEAST_DISTANCE = 6

_FIND = """(leastDistance) => {
    const found = new Set();
    const words = (element) => element.textContent.replace(/\\s+/g, " ").trim().slice(0, 40);
    const nameOf = (element) => {
        const classes = String(element.getAttribute("class") ?? "").trim();
        return `${element.localName}${classes && `.${classes.replace(/ +/g, ".")}`} “${words(element)}”`;
    };
    /** Whether an element is above the rest of the page and covers a part of it that scrolling changes. */
    const isAbove = (element) => element !== null && (element.localName === "dialog"
        || ["fixed", "sticky"].includes(getComputedStyle(element).position) || isAbove(element.parentElement));
    const isShown = (element) => {
        const { width, height } = element.getBoundingClientRect();
        return width > 1 && height > 1 && !isAbove(element)
            && element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true });
    };
    const shown = (selector) => [...document.querySelectorAll("main :is(" + selector + ")")].filter(isShown);
    const sides = (element) => element.getBoundingClientRect();
    const overlapAcross = (one, other) => one.left < other.right - 1 && other.left < one.right - 1;

    // A box below a heading or another box
    const isBox = (element) => {
        const style = getComputedStyle(element);
        return ["top", "left"].every((side) => parseFloat(style[`border-${side}-width`]) > 0
            && style[`border-${side}-style`] !== "none" && style[`border-${side}-color`] !== "rgba(0, 0, 0, 0)");
    };
    const boxes = shown("section, article, div, ul, ol, li, dl, form, fieldset, details, p, a:not(.button)")
        .filter(isBox);
    const above = [...shown("h1, h2, h3"), ...boxes];
    for (const box of boxes) {
        for (const other of above) {
            if (box.contains(other) || other.contains(box)) continue;
            const distance = sides(box).top - sides(other).bottom;
            if (distance > -1 && distance < leastDistance && overlapAcross(sides(box), sides(other))) {
                found.add(`${nameOf(box)} is directly below ${nameOf(other)}`);
            }
        }
    }

    // Buttons beside and below each other
    const buttons = shown(".button");
    buttons.forEach((button, index) => {
        for (const other of buttons.slice(index + 1)) {
            const [one, two] = [sides(button), sides(other)];
            const across = Math.max(one.left - two.right, two.left - one.right);
            const down = Math.max(one.top - two.bottom, two.top - one.bottom);
            if (Math.max(across, down) < leastDistance) {
                found.add(`${nameOf(button)} is too close to ${nameOf(other)}`);
            }
        }
    });

    // Groups of buttons begin where the text above them begins. Notices are centered.
    for (const group of shown(".actions, .detail-buttons")) {
        const first = [...group.children].find(isShown);
        if (!first || group.closest(".notice-view")) continue;
        const indent = sides(first).left - sides(group).left;
        if (Math.abs(indent) > 1) found.add(`${nameOf(group)} begins ${Math.round(indent)} px too far to the right`);
    }

    // Icons within a text
    for (const icon of shown("svg.icon")) {
        if (getComputedStyle(icon.parentElement).display !== "inline") continue;
        const text = document.createRange();
        text.setStartBefore(icon.parentElement);
        text.setEndBefore(icon);
        const lines = [...text.getClientRects()].filter(({ width }) => width > 0);
        const { top, bottom } = sides(icon);
        const isBesideText = lines.some((line) => line.top < bottom && line.bottom > top);
        if (lines.length > 0 && !isBesideText) {
            found.add(`the icon of ${nameOf(icon.parentElement)} is on a line of its own`);
        }
    }
    return [...found];
}"""


def misplaced(page: Page) -> list[str]:
    """What is out of place in the current state of the page."""
    return page.evaluate(_FIND, LEAST_DISTANCE)
