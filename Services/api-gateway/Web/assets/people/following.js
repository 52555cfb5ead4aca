import { saveScrollPosition } from "../shell/navigate.js";
import { element } from "../ui/dom.js";
import { counted, shortDate } from "../ui/formats.js";
import { emptyView } from "../ui/problem-view.js";
import { explainIfAlone } from "./alone.js";
import { PeopleList } from "./people-list.js";
import { peopleLinks } from "./people-links.js";
import { followPeople } from "./person-events.js";

/** Whom the person follows. */
export function show({ main, signal, scrollPosition }) {
    const status = element("p", { class: "count", role: "status" });
    const list = new PeopleList({
        label: "Following", path: "/v1/me/following", signal, scrollPosition, onScroll: saveScrollPosition,
        note: ({ since }) => since && `Since ${shortDate(since)}`,
        changed: ({ count, isWhole }) => {
            status.textContent = isWhole && count > 0 ? counted(count, "person", "people") : "";
        },
        empty: () => emptyView({
            picture: "people", title: "You do not follow anybody yet",
            text: "Follow people to see what they share with you.",
            actions: [element("a", { class: "button primary", href: "/people" }, "Find people")],
        }),
    });
    const links = peopleLinks("following");
    main.replaceChildren(element("div", { class: "detail" }, links,
        element("div", { class: "headline" }, element("h1", {}, "Following"), status), list.element));
    followPeople({
        signal, changed: (person) => list.update(person),
        outdated: ({ isGone }) => (isGone ? list.forget() : list.refresh()),
    });
    list.begin();
    explainIfAlone({ links, parts: [list.element], signal });
    return "Following";
}
