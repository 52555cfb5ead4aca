/**
 * Makes an element: `element("a", { href, class: "button", onclick }, "Text", otherElement)`.
 *
 * A property that begins with `on` is a listener. `true` sets an attribute; `false` and `null` leave it out; anything
 * else is the attribute's text. Children are nodes or texts (never HTML); `null` and `false` are left out.
 */
export function element(tag, properties = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
        if (value === null || value === undefined || value === false) continue;
        if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
        else made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
    return made;
}

/** Text for screen readers only. */
export function hiddenText(text) {
    return element("span", { class: "visually-hidden" }, text);
}

const descriptions = new Map();

/** The id of a hidden element with a text, for `aria-describedby`. The elements with the same description share it. */
export function descriptionOf(text) {
    if (!descriptions.has(text)) {
        const id = freshID("description");
        descriptions.set(text, id);
        document.body.append(element("p", { id, hidden: true }, text));
    }
    return descriptions.get(text);
}

let lastID = 0;

/** An id that no other element has, for labels and descriptions. `stem` is its beginning. */
export function freshID(stem) {
    lastID += 1;
    return `${stem}-${lastID}`;
}
