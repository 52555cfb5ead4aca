"""Checks that everything on a page can be read: no word that fits on a line is broken, and no text is cut off."""

from playwright.sync_api import Page

from .layout import misplaced

# List rows and the player show one line of a name, and the item's page shows all of it. A change has no such page.
MAY_END_IN_AN_ELLIPSIS = (
    ".row-head, .row-title, .row:not(.change-row) .row-text, .row-column, .player-title, .player-text")

_FIND = """(mayEndInAnEllipsis) => {
    const found = new Map();
    /** The smallest distance in pixels between a text and the edge of the window. */
    const margin = 6;
    const report = (fault, element, text) => {
        const where = `${element.localName}${element.className && `.${String(element.className).replace(/ +/g, ".")}`}`;
        found.set(`${fault}: ${where}: “${text.replace(/\\s+/g, " ").trim().slice(0, 60)}”`, true);
    };
    /** Whether an element, or one around it, is one pixel for screen readers only. */
    const isConcealed = (element) => element !== null
        && (getComputedStyle(element).clipPath === "inset(50%)" || isConcealed(element.parentElement));
    const isShown = (element) => !element.closest(".skip-link, .picture, svg, option, noscript")
        && element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true }) && !isConcealed(element);
    const edges = (element) => {
        const { paddingLeft, paddingRight, borderLeftWidth, borderRightWidth } = getComputedStyle(element);
        return [paddingLeft, paddingRight, borderLeftWidth, borderRightWidth]
            .reduce((sum, length) => sum + parseFloat(length), 0);
    };
    /** The width that a word could have if nothing stood beside it. */
    const line = (element) => {
        let width = 0;
        for (let each = element; each; each = each.parentElement) {
            if (getComputedStyle(each).display !== "inline") width -= edges(each);
            const isWhole = each.matches("main, .columns > *, .narrow, header, dialog, .menu, .toast, body");
            if (isWhole) return width + each.offsetWidth;
        }
        return width;
    };
    const linesOf = (rects) => rects.reduce((lines, { top, height }) =>
        lines.some((other) => Math.abs(other - top) < height / 2) ? lines : [...lines, top], []).length;
    // Lines may end at spaces that are not non-breaking, and after some characters.
    const word = /[^ \\t\\r\\n\\u200b\\u00ad\\u2010\\u2013\\u2014\\-?!|·…]+/gu;
    // Lines may end between most letters of these scripts, and between pictures.
    const anywhere = new RegExp("[\\\\p{Script=Han}\\\\p{Script=Hiragana}\\\\p{Script=Katakana}\\\\p{Script=Hangul}"
        + "\\\\p{Script=Thai}\\\\p{Script=Lao}\\\\p{Script=Khmer}\\\\p{Script=Myanmar}"
        + "\\\\p{Extended_Pictographic}]", "u");

    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const element = text.parentElement;
        if (!text.data.trim() || !isShown(element)) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        const rects = [...range.getClientRects()].filter(({ width }) => width > 0);
        if (rects.some(({ left, right }) => left < margin || right > innerWidth - margin)
            && !element.closest(mayEndInAnEllipsis)) report("at the edge of the window", element, text.data);
        if (linesOf(rects) < 2) continue;
        for (const match of text.data.matchAll(word)) {
            if (anywhere.test(match[0])) continue;
            range.setStart(text, match.index);
            range.setEnd(text, match.index + match[0].length);
            const parts = [...range.getClientRects()].filter(({ width }) => width > 0);
            const width = parts.reduce((sum, part) => sum + part.width, 0);
            if (linesOf(parts) > 1 && width <= line(element)) report("broken word", element, match[0]);
        }
    }

    for (const element of document.body.querySelectorAll("*")) {
        if (!isShown(element) || element.clientHeight <= 1 || !element.textContent.trim()) continue;
        const { overflowX, overflowY, textOverflow } = getComputedStyle(element);
        const hides = (overflow) => overflow === "hidden" || overflow === "clip";
        const isWider = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 0;
        const mayBeWider = textOverflow === "ellipsis" && element.matches(mayEndInAnEllipsis);
        if (isWider && overflowX !== "visible" && !mayBeWider) {
            report(hides(overflowX) ? "cut off" : "scrolls sideways", element, element.textContent);
        }
        const isHigher = element.scrollHeight > element.clientHeight + 2;
        if (isHigher && (hides(overflowY) || element.matches(".virtual-rows > .row"))) {
            report("cut off below", element, element.textContent);
        }
    }

    // What fields show has no element of its own.
    const canvas = document.createElement("canvas").getContext("2d");
    for (const field of document.body.querySelectorAll("select, input")) {
        const text = field.localName === "select" ? field.selectedOptions[0]?.text : !field.value && field.placeholder;
        if (!text || !isShown(field)) continue;
        const { font, paddingLeft, paddingRight } = getComputedStyle(field);
        canvas.font = font;
        const arrow = field.localName === "select" ? 16 : 0;
        const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
        const isWidest = field.offsetWidth >= line(field.parentElement) - 1;
        if (canvas.measureText(text).width > room + 1 && !isWidest) report("cut off", field, text);
    }
    const overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (overflow > 0) {
        found.set(`the page is ${overflow} px wider than the window`, true);
        const isOutside = (element) => element.getBoundingClientRect().right > innerWidth + 1;
        for (const element of document.body.querySelectorAll("*")) {
            if (isShown(element) && isOutside(element) && !isOutside(element.parentElement)) {
                report("sticks out", element, element.textContent);
            }
        }
    }
    return [...found.keys()];
}"""


def unreadable(page: Page, text_size: int = 100) -> list[str]:
    """What cannot be read or is out of place in the current state of the page, at this text size in percent."""
    page.evaluate("""(size) => {
        document.documentElement.style.fontSize = size === 100 ? "" : `${size}%`;
        return new Promise((done) =>
            requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))));
    }""", text_size)
    try:
        return page.evaluate(_FIND, MAY_END_IN_AN_ELLIPSIS) + misplaced(page)
    finally:
        if text_size != 100:
            page.evaluate("() => { document.documentElement.style.fontSize = ''; }")


def assert_readable(page: Page, state: str, text_size: int = 100) -> None:
    """Checks that no word that fits on a line is broken, that no text is cut off, and that everything is in place."""
    found = unreadable(page, text_size)
    assert found == [], f"{state}, at {text_size} % text:\n" + "\n".join(found[:20])
