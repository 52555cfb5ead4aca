import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { fact } from "../ui/fact.js";
import { counted, grouped, longDate } from "../ui/formats.js";

/** The person's own history with a song or an artist, by the parameters of the API. Hidden while there is none. */
export function ownHistory(parameters, { signal }) {
    const part = element("section", { class: "card detail-part", "aria-label": "Your listens", hidden: true });
    load();
    return part;

    async function load() {
        let history;
        try {
            history = await api.get(`/v1/listening/history?${new URLSearchParams(parameters)}`, { signal });
        } catch {
            // The page says what is wrong, and has more to show than this.
            return;
        }
        if (history.listens === 0) return;
        part.hidden = false;
        part.replaceChildren(element("h2", {}, "Your listens"), element("dl", { class: "facts" },
            fact("Listens", grouped(history.listens)), fact("Time", counted(history.minutes, "minute")),
            fact("First", longDate(history.firstListenedAt)), fact("Last", longDate(history.lastListenedAt))));
    }
}
