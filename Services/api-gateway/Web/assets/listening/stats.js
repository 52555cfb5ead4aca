import { EventStream } from "../shell/event-stream.js";
import { element } from "../ui/dom.js";
import { emptyView } from "../ui/problem-view.js";
import { statsView } from "./stats-view.js";
import { listeningTabs } from "./tabs.js";

/** What the person listened to most, and when. */
export function show({ main, signal }) {
    const { elements, load } = statsView({
        address: "/listening/stats", path: "/v1/listening/stats", signal,
        nothing: () => emptyView({
            picture: "clock", title: "No listens in this period",
            text: "Choose another period, or see where your listens come from.",
            actions: [element("a", { class: "button", href: "/listening/programs" }, "Sources")],
        }),
        note: ({ timeZone }) => element("p", { class: "secondary" },
            `Days and hours are in the time zone ${timeZone}. `,
            element("a", { href: "/profile/edit" }, "Change the time zone")),
    });
    main.replaceChildren(
        element("div", { class: "detail" }, listeningTabs("stats"), element("h1", {}, "Stats"), elements));
    const stream = new EventStream({ signal });
    for (const event of ["open", "reset", "listen"]) stream.addEventListener(event, load, { signal });
    load();
    return "Stats";
}
