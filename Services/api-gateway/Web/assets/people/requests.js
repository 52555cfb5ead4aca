import { api } from "../shell/api.js";
import { saveScrollPosition } from "../shell/navigate.js";
import { element } from "../ui/dom.js";
import { shortDate } from "../ui/formats.js";
import { emptyView } from "../ui/problem-view.js";
import { actButton } from "./act-button.js";
import { explainIfAlone } from "./alone.js";
import { blockMenu } from "./block.js";
import { nameOf } from "../ui/person-names.js";
import { PeopleList } from "./people-list.js";
import { peopleLinks } from "./people-links.js";
import { followPeople } from "./person-events.js";

/** Who asks to follow the person. */
export function show({ main, signal, scrollPosition }) {
    const list = new PeopleList({
        label: "Requests", path: "/v1/me/follow-requests", signal, scrollPosition, onScroll: saveScrollPosition,
        note: ({ since }) => since && `Asked on ${shortDate(since)}`,
        controls: (person) => [
            answer(person, { text: "Accept", isPrimary: true, send: (path) => api.put(path),
                said: `${nameOf(person)} now follows you.` }),
            answer(person, { text: "Decline", send: (path) => api.delete(path),
                said: `You declined the request. ${nameOf(person)} is not notified.` }),
            blockMenu(person, { signal, blocked: () => list.remove(person) }),
        ],
        empty: () => emptyView({
            picture: "people", title: "No requests",
            text: "People ask before they follow you if only your followers see your profile. Their requests appear "
                + "here.",
            actions: [element("a", { class: "button", href: "/profile/edit" }, "Choose who sees your profile")],
        }),
    });
    const links = peopleLinks("requests");
    main.replaceChildren(element("div", { class: "detail" }, links,
        element("h1", {}, "Requests"), list.element));
    followPeople({ signal, changed: (person) => list.update(person), outdated: () => list.refresh() });
    list.begin();
    explainIfAlone({ links, parts: [list.element], signal });
    return "Requests";

    function answer(person, { text, isPrimary, send, said }) {
        return actButton({
            text, isPrimary, hidden: ` the request of ${nameOf(person)}`,
            act: async () => {
                await send(`/v1/me/follow-requests/${encodeURIComponent(person.username)}`);
                list.remove(person);
                return said;
            },
            // The request may have been withdrawn.
            failed: ({ status }) => status === 404 && list.refresh(),
        });
    }
}
