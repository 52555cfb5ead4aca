import { element } from "../ui/dom.js";

const pages = [
    ["find", "/people", "Find people"], ["following", "/people/following", "Following"],
    ["followers", "/people/followers", "Followers"], ["requests", "/people/requests", "Requests"],
    ["blocked", "/people/blocked", "Blocked"],
];

/** The links above each page of people, with the `current` one marked. */
export function peopleLinks(current = null) {
    return element("nav", { class: "page-links", "aria-label": "People" },
        element("a", { href: "/profile" }, "← Profile"),
        pages.map(([page, href, label]) =>
            element("a", { href, "aria-current": page === current ? "page" : null }, label)));
}

/** Leaves only the way back, where nobody else has an account. */
export function withoutPeople(links) {
    for (const link of [...links.children].slice(1)) link.remove();
}
