import { api } from "../shell/api.js";
import { EventStream } from "../shell/event-stream.js";
import { element } from "../ui/dom.js";
import { messageFor } from "../ui/problem-view.js";

/** The page of the person's notes. */
export function show({ main, signal }) {
    const error = element("p", { class: "field-error", role: "alert" });
    const list = element("ul", {});
    main.replaceChildren(element("div", { class: "narrow" },
        element("p", { class: "way" }, element("a", { href: "/library" }, "← Library")),
        element("h1", { tabindex: "-1" }, "Notes"), error, list));
    const stream = new EventStream({ signal });
    for (const event of ["open", "note", "reset"]) stream.addEventListener(event, load, { signal });
    load();
    return "Notes";

    async function load() {
        try {
            const { items } = await api.get("/v1/notes", { signal });
            error.textContent = "";
            list.replaceChildren(...items.map(({ words }) => element("li", {}, words)));
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }
}
