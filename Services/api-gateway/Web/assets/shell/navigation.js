import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { bell, unreadNotifications } from "./bell.js";
import { messagesLink, unreadMessages } from "./messages-link.js";
import { revisit } from "./navigate.js";
import { followPerson, session } from "./session.js";
import { UnreadCount } from "./unread-count.js";
import { unreadMark } from "./unread-mark.js";
import { latestVisit } from "./visits.js";

const sections = [
    {
        section: "feed", href: "/feed", label: "Feed",
        unread: new UnreadCount({
            path: "/v1/feed/unread", kind: "feedItem", mark: "feedReadMark",
            keyOf: ({ kind, id }) => `${kind}:${id}`,
            isAbove: ({ sortScore, number }, mark) =>
                sortScore !== mark.score ? sortScore > mark.score : number > mark.number,
        }),
    },
    { section: "explore", href: "/explore", label: "Explore" },
    { section: "library", href: "/library", label: "Library" },
    { section: "profile", href: "/profile", label: "Profile" },
    { section: "operations", href: "/operations", label: "Operations", isForAdmins: true },
];

/** The marks of the numbers. Each is made once, since the links are made again with each page. */
const marks = new Map();

/**
 * Shows the header's links, with the `current` section marked, and those to the messages and the notifications. Without
 * a session there are none. The link of another section leads back to where the person was in it, and the link of the
 * current one to its first page.
 */
export function showNavigation(current) {
    const navigation = document.getElementById("navigation");
    navigation.hidden = !session.user;
    const visible = sections.filter((entry) => !entry.isForAdmins || session.user?.isAdmin);
    navigation.replaceChildren(element("ul", {}, visible.map((entry) =>
        element("li", {}, link(entry, entry.section === current)))));
    const place = document.getElementById("bell");
    place.hidden = !session.user;
    for (const link of [messagesLink, bell]) {
        link.ariaCurrent = location.pathname === link.pathname ? "page" : null;
        if (link.parentElement !== place) place.append(link);
    }
}

/** Shows how many new items the sections have, for whoever is signed in, from now on. */
export function followUnread() {
    followPerson(({ signal }) => {
        for (const { unread } of sections) unread?.follow({ signal });
        unreadMessages.follow({ signal });
        unreadNotifications.follow({ signal });
    });
}

function markOf(unread) {
    if (!marks.has(unread)) marks.set(unread, unreadMark(unread));
    return marks.get(unread);
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
