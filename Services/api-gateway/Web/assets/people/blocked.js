import { api } from "../shell/api.js";
import { saveScrollPosition } from "../shell/navigate.js";
import { element } from "../ui/dom.js";
import { shortDate } from "../ui/formats.js";
import { emptyView } from "../ui/problem-view.js";
import { actButton } from "./act-button.js";
import { explainIfAlone } from "./alone.js";
import { nameOf, pathOf } from "../ui/person-names.js";
import { PeopleList } from "./people-list.js";
import { peopleLinks } from "./people-links.js";
import { followPeople } from "./person-events.js";

/** Whom the person has blocked. */
export function show({ main, signal, scrollPosition }) {
    const list = new PeopleList({
        label: "Blocked people", path: "/v1/me/blocked", signal, scrollPosition, onScroll: saveScrollPosition,
        // Their pages are not shown.
        hasLinks: false,
        note: ({ since }) => since && `Since ${shortDate(since)}`,
        controls: (person) => [actButton({
            text: "Unblock", hidden: ` ${nameOf(person)}`,
            act: async () => {
                await api.delete(pathOf(person, "/block"));
                list.remove(person);
                return `${nameOf(person)} is no longer blocked. You do not follow each other.`;
            },
            failed: ({ status }) => status === 404 && list.refresh(),
        })],
        empty: () => emptyView({
            picture: "people", title: "You have not blocked anybody",
            text: "You and anybody you block cannot see each other. You can block people from their profiles and "
                + "from your followers and requests.",
        }),
    });
    const links = peopleLinks("blocked");
    const messages = element("p", { hidden: true },
        element("a", { href: "/threads?state=blocked" }, "Messages with blocked people"));
    main.replaceChildren(element("div", { class: "detail" }, links,
        element("h1", {}, "Blocked people"), messages, list.element));
    followPeople({ signal, outdated: () => list.refresh() });
    list.begin();
    // The page works without it.
    api.get("/v1/threads?state=blocked&limit=1", { signal }).catch(() => null).then((answer) => {
        messages.hidden = !answer?.items.length;
    });
    explainIfAlone({ links, parts: [list.element], signal });
    return "Blocked people";
}
