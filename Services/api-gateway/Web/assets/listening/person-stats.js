import { api } from "../shell/api.js";
import { EventStream } from "../shell/event-stream.js";
import { poll } from "../shell/polling.js";
import { element } from "../ui/dom.js";
import { name } from "../ui/list-row.js";
import { emptyView, problemView } from "../ui/problem-view.js";
import { statsView } from "./stats-view.js";

/** What another person listened to most, if they show it to the reader. */
export function show({ main, signal, parameters: { username } }) {
    const profile = `/users/${username}`;
    const called = element("span", {}, name(username));
    /** Whether the page shows stats, as far as is known. */
    let showsStats = true;
    let isFollowed = false;
    const { elements, load } = statsView({
        address: `${profile}/stats`, path: `/v1/users/${username}/stats`, signal,
        nothing: () => emptyView({
            picture: "clock", title: "No listens in this period", text: "Choose another period.",
        }),
        note: () => element("p", { class: "secondary" }, "Days and hours are those of their time zone."),
        failure: (problem, retry) => {
            if (problem.status !== 404) return problemView(problem, retry, { level: 2 });
            showsStats = false;
            return emptyView({
                picture: "clock", title: "There are no stats for you here",
                text: "The address may be mistyped, or you may not see what this person listens to.",
                actions: [element("a", { class: "button primary", href: "/people" }, "Find people")],
            });
        },
    });
    main.replaceChildren(element("div", { class: "detail" },
        element("p", { class: "way" }, element("a", { href: profile }, element("span", {}, "← ", name(username)))),
        element("h1", {}, "Stats of ", called), elements));
    load();
    look();
    const stream = new EventStream({ signal });
    for (const event of ["open", "reset", "person"]) stream.addEventListener(event, look, { signal });
    stream.addEventListener("gone", ({ detail: { kind } }) => {
        if (kind === "person" || kind === "itemsOf") look();
    }, { signal });
    // Only followers are notified of what a person shows.
    poll(() => isFollowed || look(), { signal });
    return `Stats of ${username}`;

    /** Looks whether the person is still here and shows their stats to the reader, and shows that. */
    async function look() {
        let person = null;
        try {
            person = await api.get(`/v1/users/${username}`, { signal });
        } catch (problem) {
            // The page works with the username.
            if (problem.status !== 404) return;
        }
        isFollowed = person?.follow === "following";
        const known = person?.displayName ?? username;
        if (called.textContent !== known) {
            called.replaceChildren(name(known));
            document.title = `Stats of ${known} · Backline`;
        }
        if (Boolean(person?.showsStats) === showsStats) return;
        showsStats = !showsStats;
        load();
    }
}
