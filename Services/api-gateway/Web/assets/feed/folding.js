/** How many neighbors with the same key are shown before the rest of them is folded. */
const shownOfKey = 4;

/** The key of an item among all kinds. */
export function keyOf({ kind, id }) {
    return `${kind}:${id}`;
}

/** What an item is about: of a concert, the same for all of its revisions, whose number comes after a dot. */
export function subjectOf({ kind, id }) {
    return kind === "concert" && id.includes(".") ? `${kind}:${id.slice(0, id.lastIndexOf("."))}` : `${kind}:${id}`;
}

/**
 * The cards of a list of items: `{ item }` for each, and `{ folded, foldKey }` in place of those of a run with the same
 * fold key from the fifth on. `unfolded` has the keys that the person has unfolded.
 */
export function cardsOf(items, unfolded = new Set()) {
    const cards = [];
    for (let start = 0; start < items.length;) {
        const { foldKey } = items[start];
        let end = start + 1;
        while (end < items.length && foldKey && items[end].foldKey === foldKey) end += 1;
        const run = items.slice(start, end);
        const shown = unfolded.has(foldKey) ? run : run.slice(0, shownOfKey);
        cards.push(...shown.map((item) => ({ item })));
        if (shown.length < run.length) cards.push({ folded: run.slice(shown.length), foldKey });
        start = end;
    }
    return cards;
}
