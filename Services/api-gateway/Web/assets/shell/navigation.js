import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { session } from "./session.js";

const sections = [
    { section: "feed", href: "/feed", label: "Feed" },
    { section: "explore", href: "/explore", label: "Explore" },
    { section: "library", href: "/library", label: "Library" },
    { section: "profile", href: "/profile", label: "Profile" },
    { section: "operations", href: "/operations", label: "Operations", isForAdmins: true },
];

/** Shows the header's links, with the `current` section marked. Without a session there are none. */
export function showNavigation(current) {
    const navigation = document.getElementById("navigation");
    navigation.hidden = !session.user;
    const visible = sections.filter((entry) => !entry.isForAdmins || session.user?.isAdmin);
    navigation.replaceChildren(element("ul", {}, visible.map(({ section, href, label }) =>
        element("li", {},
            element("a", { href, "aria-current": section === current ? "page" : null }, icon(section), label)))));
}
