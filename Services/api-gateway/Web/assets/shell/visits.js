/**
 * A visit is a page from its opening until the person leaves it: the `section` of the navigation, the `address`, the
 * `scrollPosition` that the page stores, and in `top` how far the window was scrolled when they left, in pixels.
 */
let current = null;
/** The latest visit of each section, so that the section's link leads back to it. */
const latest = new Map();

/** Begins the visit of the page of the current address, whose section is `null` for pages of none. */
export function beginVisit(section, scrollPosition) {
    // The page that the person leaves is still shown.
    if (current) current.top = scrollY;
    current = { section, address: location.pathname + location.search, scrollPosition, top: 0 };
    if (section) latest.set(section, current);
}

export function latestVisit(section) {
    return latest.get(section) ?? null;
}

/** Changes members of the current visit. */
export function updateVisit(members) {
    if (current) Object.assign(current, members);
}

/** Forgets all visits: the next person to use this browser may be someone else. */
export function forgetVisits() {
    current = null;
    latest.clear();
}
