import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { fact } from "../ui/fact.js";
import { counted, grouped, longDate } from "../ui/formats.js";
import { section } from "./item-view.js";

/** The person's listens to a song or an artist, chosen by the API's `parameters`. Empty while there are none. */
export function ownListens(parameters, { signal }) {
    const container = element("div", { hidden: true });
    load();
    return container;

    async function load() {
        let history;
        try {
            history = await api.get(`/v1/listening/history?${new URLSearchParams(parameters)}`, { signal });
        } catch {
            // The rest of the page works without this, and reports what is wrong.
            return;
        }
        if (history.listens === 0) return;
        container.replaceWith(section("Your listens", element("dl", { class: "facts" },
            fact("Listens", grouped(history.listens)), fact("Time", counted(history.minutes, "minute")),
            fact("First", longDate(history.firstListenedAt)), fact("Last", longDate(history.lastListenedAt)))));
    }
}
