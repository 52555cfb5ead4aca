import { element, hiddenText } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { revisit } from "./navigate.js";
import { session } from "./session.js";
import { UnreadCount } from "./unread-count.js";
import { latestVisit } from "./visits.js";

const sections = [
    {
        section: "feed", href: "/feed", label: "Feed",
        unread: new UnreadCount({ path: "/v1/feed/unread", kind: "feedItem", mark: "feedReadMark" }),
    },
    { section: "explore", href: "/explore", label: "Explore" },
    { section: "library", href: "/library", label: "Library" },
    { section: "profile", href: "/profile", label: "Profile" },
    { section: "operations", href: "/operations", label: "Operations", isForAdmins: true },
];

/** The marks of the numbers. Each is made once, since the links are made again with each page. */
const marks = new Map();

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

/** Shows how many new items the sections have, for whoever is signed in, from now on. */
export function followUnread() {
    let person = null;
    let leaving = new AbortController();
    session.addEventListener("change", follow);
    follow();

    function follow() {
        // Only the name may have changed.
        if (session.user?.id === person?.id) return;
        person = session.user;
        leaving.abort();
        leaving = new AbortController();
        for (const { unread } of sections) if (person) unread?.follow(leaving);
    }
}

function markOf(unread) {
    if (!marks.has(unread)) marks.set(unread, unreadMark(unread));
    return marks.get(unread);
}

/** The number of new items at a link: "3", and "3 new" for screen readers. Nothing without any. */
function unreadMark(unread) {
    const mark = element("span", { class: "unread-mark" });
    const show = () => {
        const { count, isMore } = unread;
        mark.hidden = count === 0;
        if (count === 0) return mark.replaceChildren();
        mark.replaceChildren(element("span", { "aria-hidden": "true" }, isMore ? `${count}+` : String(count)),
            hiddenText(isMore ? ` more than ${count} new` : ` ${count} new`));
    };
    show();
    unread.addEventListener("change", show);
    return mark;
}

function link({ section, href, label, unread }, isCurrent) {
    const visit = isCurrent ? null : latestVisit(section);
    // The site's own address is that of the feed.
    const address = visit && visit.address !== "/" ? visit.address : href;
    const properties = { href: address, "aria-current": isCurrent ? "page" : null };
    return element("a", { ...properties, onclick: (event) => {
        const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
        if (!visit || !isPlain) return;
        event.preventDefault();
        revisit({ ...visit, address });
    } }, icon(section), label, unread && markOf(unread));
}
