import { element, freshID } from "./dom.js";
import { icon } from "./icons.js";

/** How long a finger rests on an element until its menu opens, in milliseconds, and how far it may move, in pixels. */
const longPress = 500;
const slack = 10;
/** The distance of a menu from the edges of the window, and how far the page scrolls until it closes, in pixels. */
const edge = 8;
const scrolled = 60;

/** Closes the menu that is open. */
let closeOpen = () => {};

/**
 * Opens a menu at an element or a point `{ x, y }`. An item is `{ label, picture, href, external, action, reason }`: a
 * link, or a button that calls `action`. An item with a `reason` cannot be chosen, and says why. `items` may be a
 * promise. On phones the menu is at the lower edge of the window.
 */
export async function openMenu({ label, items, at, opener = document.activeElement }) {
    closeOpen();
    const menu = element("div", { class: "menu", role: "menu", "aria-label": label, popover: "manual", tabindex: "-1" },
        element("p", { class: "menu-waiting" }, "Loading …"));
    const closing = new AbortController();
    const { signal } = closing;
    closeOpen = (focuses = false) => {
        if (signal.aborted) return;
        closing.abort();
        menu.remove();
        opener?.setAttribute?.("aria-expanded", "false");
        if (focuses) opener?.focus?.({ preventScroll: true });
    };
    // In the page, so that it disappears when the person leaves the page.
    document.getElementById("main").append(menu);
    menu.showPopover();
    opener?.setAttribute?.("aria-expanded", "true");
    menu.addEventListener("keydown", (event) => handleKey(event, menu));
    menu.addEventListener("focusout", ({ relatedTarget }) => {
        if (relatedTarget && !menu.contains(relatedTarget)) closeOpen();
    });
    document.addEventListener("pointerdown", (event) => menu.contains(event.target) || closeOpen(), { signal });
    const start = scrollY;
    addEventListener("scroll", () => Math.abs(scrollY - start) > scrolled && closeOpen(), { signal });
    addEventListener("resize", () => closeOpen(), { signal });
    positionMenu(menu, at);
    menu.focus();
    const entries = (await items).filter(Boolean).map((item) => entry(item));
    if (signal.aborted) return;
    menu.replaceChildren(...entries);
    positionMenu(menu, at);
    entries[0]?.focus({ preventScroll: true });
}

/** Opens an element's menu like a context menu: on a right click, Shift+F10 or a long press. */
export function offerMenu(target, open) {
    let [timer, start, isHeld] = [null, null, false];
    const stop = () => clearTimeout(timer);
    target.addEventListener("contextmenu", (event) => {
        event.preventDefault();
        stop();
        // A keyboard event has no position, so the menu opens at the element with the focus.
        const isByKeyboard = event.clientX === 0 && event.clientY === 0 || event.pointerType === "";
        open(isByKeyboard ? document.activeElement : { x: event.clientX, y: event.clientY });
    });
    // Safari on phones has no event for a long press.
    target.addEventListener("pointerdown", (event) => {
        isHeld = false;
        if (event.pointerType !== "touch") return;
        start = { x: event.clientX, y: event.clientY };
        stop();
        timer = setTimeout(() => {
            isHeld = true;
            open(start);
        }, longPress);
    });
    target.addEventListener("click", (event) => {
        // This click comes from the finger that opened the menu.
        if (!isHeld) return;
        isHeld = false;
        event.preventDefault();
        event.stopPropagation();
    }, { capture: true });
    target.addEventListener("pointermove", (event) => {
        if (start && Math.hypot(event.clientX - start.x, event.clientY - start.y) > slack) stop();
    });
    for (const end of ["pointerup", "pointercancel", "pointerleave"]) target.addEventListener(end, stop);
}

function entry({ label, picture, href = null, external = false, action = null, reason = null }) {
    const text = freshID("reason");
    const properties = {
        class: "menu-item", role: "menuitem", tabindex: "-1", "aria-disabled": reason ? "true" : null,
        "aria-describedby": reason ? text : null,
    };
    const content = [
        picture && icon(picture),
        element("span", { class: "menu-text" }, label,
            reason && element("span", { class: "menu-reason", id: text, "aria-hidden": "true" }, reason)),
        external && icon("external"),
    ];
    if (href && !reason) {
        const away = external ? { target: "_blank", rel: "noopener noreferrer" } : {};
        return element("a", { ...properties, ...away, href, onclick: () => closeOpen(external) }, content);
    }
    return element("button", { ...properties, type: "button", onclick: () => {
        if (reason) return;
        closeOpen(true);
        action();
    } }, content);
}

function handleKey(event, menu) {
    const entries = [...menu.querySelectorAll("[role=menuitem]")];
    const index = entries.indexOf(document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") closeOpen(true);
    else if (event.key === "Tab") closeOpen(true);
    else if (step && entries.length > 0) {
        // Without a focused entry, arrow down goes to the first entry and arrow up to the last.
        entries[(Math.max(index, step > 0 ? -1 : 0) + step + entries.length) % entries.length].focus();
    } else if (event.key === "Home") entries[0]?.focus();
    else if (event.key === "End") entries.at(-1)?.focus();
    else if (event.key.length === 1 && /\S/.test(event.key)) {
        const order = [...entries.slice(index + 1), ...entries.slice(0, index + 1)];
        const letter = event.key.toLocaleLowerCase();
        order.find(({ textContent }) => textContent.trim().toLocaleLowerCase().startsWith(letter))?.focus();
    } else return;
    if (event.key !== "Tab") event.preventDefault();
    event.stopPropagation();
}

/** Places a menu beside an element or at a point, within the window. The style sheet places it on phones. */
function positionMenu(menu, at) {
    const box = at instanceof Element ? at.getBoundingClientRect() : new DOMRect(at.x, at.y, 0, 0);
    const { offsetWidth: width, offsetHeight: height } = menu;
    const isBelow = box.bottom + height + edge <= innerHeight || box.top < innerHeight / 2;
    const left = at instanceof Element ? box.right - width : box.left;
    menu.style.left = `${Math.max(edge, Math.min(left, innerWidth - width - edge))}px`;
    const top = isBelow ? box.bottom : box.top - height;
    menu.style.top = `${Math.max(edge, Math.min(top, innerHeight - height - edge))}px`;
}
