import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { revisit } from "./navigate.js";
import { session } from "./session.js";
import { latestVisit } from "./visits.js";

const sections = [
    { section: "feed", href: "/feed", label: "Feed" },
    { section: "explore", href: "/explore", label: "Explore" },
    { section: "library", href: "/library", label: "Library" },
    { section: "profile", href: "/profile", label: "Profile" },
    { section: "operations", href: "/operations", label: "Operations", isForAdmins: true },
];

/**
 * Shows the header's links, with the `current` section marked. Without a session there are none. The link of another
 * section leads back to where the person was in it, and the link of the current one to its first page.
 */
export function showNavigation(current) {
    const navigation = document.getElementById("navigation");
    navigation.hidden = !session.user;
    const visible = sections.filter((entry) => !entry.isForAdmins || session.user?.isAdmin);
    navigation.replaceChildren(element("ul", {}, visible.map((entry) =>
        element("li", {}, link(entry, entry.section === current)))));
}

function link({ section, href, label }, isCurrent) {
    const visit = isCurrent ? null : latestVisit(section);
    // The site's own address is that of the feed.
    const address = visit && visit.address !== "/" ? visit.address : href;
    const properties = { href: address, "aria-current": isCurrent ? "page" : null };
    return element("a", { ...properties, onclick: (event) => {
        const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
        if (!visit || !isPlain) return;
        event.preventDefault();
        revisit({ ...visit, address });
    } }, icon(section), label);
}
