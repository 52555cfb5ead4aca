import { api } from "../shell/api.js";
import { saveScrollPosition } from "../shell/navigate.js";
import { confirmed } from "../ui/confirmation.js";
import { element } from "../ui/dom.js";
import { counted, shortDate } from "../ui/formats.js";
import { emptyView } from "../ui/problem-view.js";
import { actButton } from "./act-button.js";
import { explainIfAlone } from "./alone.js";
import { blockMenu } from "./block.js";
import { FollowButton } from "./follow-button.js";
import { nameOf } from "../ui/person-names.js";
import { PeopleList } from "./people-list.js";
import { peopleLinks } from "./people-links.js";
import { followPeople } from "./person-events.js";

/** Who follows the person, and how to remove a follower. */
export function show({ main, signal, scrollPosition }) {
    const status = element("p", { class: "count", role: "status" });
    const list = new PeopleList({
        label: "Followers", path: "/v1/me/followers", signal, scrollPosition, onScroll: saveScrollPosition,
        note: ({ since }) => since && `Since ${shortDate(since)}`,
        controls: (person) => [
            new FollowButton(person, { changed: (changed) => list.update(changed) }),
            removal(person),
            blockMenu(person, { signal, blocked: () => list.remove(person) }),
        ],
        changed: ({ count, isWhole }) => {
            status.textContent = isWhole && count > 0 ? counted(count, "person", "people") : "";
        },
        empty: () => emptyView({
            picture: "people", title: "Nobody follows you yet",
            text: "Others find you by your name or username, and can follow you on your profile.",
        }),
    });
    const links = peopleLinks("followers");
    main.replaceChildren(element("div", { class: "detail" }, links,
        element("div", { class: "headline" }, element("h1", {}, "Followers"), status), list.element));
    followPeople({ signal, changed: (person) => list.update(person), outdated: () => list.refresh() });
    list.begin();
    explainIfAlone({ links, parts: [list.element], signal });
    return "Followers";

    function removal(person) {
        const name = nameOf(person);
        return actButton({
            text: "Remove", hidden: ` ${name} as a follower`,
            act: async () => {
                const isMeant = await confirmed({
                    title: `Remove ${name}?`, action: "Remove",
                    text: `${name} no longer follows you, and is not notified. They can follow you again, unless you `
                        + "block them.",
                });
                if (!isMeant || signal.aborted) return null;
                await api.delete(`/v1/me/followers/${encodeURIComponent(person.username)}`);
                list.remove(person);
                return `${name} no longer follows you.`;
            },
        });
    }
}
