import { api } from "../shell/api.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { counted } from "../ui/formats.js";
import { name } from "../ui/list-row.js";
import { emptyView, messageFor } from "../ui/problem-view.js";

/** The page of the songs that the person does not want in lists. */
export function show({ main, signal }) {
    const status = element("p", { role: "status", class: "secondary" });
    const error = element("p", { class: "field-error", role: "alert" });
    const songs = element("div", {});
    const heading = element("h1", { tabindex: "-1" }, "Not for you");
    main.replaceChildren(element("div", { class: "narrow" },
        element("p", { class: "way" }, element("a", { href: "/explore" }, "← Explore")), heading,
        element("p", { class: "secondary" }, "Your playlists, recommendations and blends leave out these songs."),
        status, error, songs));
    load();
    return "Not for you";

    async function load() {
        try {
            const { items } = await api.get("/v1/ai/dismissals", { signal });
            render(items);
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }

    function render(items) {
        status.textContent = items.length > 0 ? counted(items.length, "song") : "";
        songs.replaceChildren(items.length === 0
            ? emptyView({
                picture: "spark", title: "No songs here",
                text: "Choose “Not for me” in the menu of a recommended song.",
                actions: [element("a", { class: "button", href: "/explore" }, "Explore")],
            })
            : element("ul", { class: "imports", "aria-label": "Songs" }, items.map(row)));
    }

    function row({ id, title, artist }) {
        const text = title ?? id;
        const button = element("button", {
            class: "button small", type: "button", "aria-label": `Allow ${text} again`, onclick: () => takeBack(id, text),
        }, "Allow again");
        return element("li", { class: "card import" },
            element("div", {}, name(text), artist && element("p", { class: "secondary" }, name(artist))), button);
    }

    async function takeBack(id, text) {
        error.textContent = "";
        try {
            await api.delete(`/v1/ai/dismissals/${encodeURIComponent(id)}`, { signal });
            announce(`“${text}” may appear in lists again.`);
            await load();
            // The button that had the focus is gone.
            heading.focus();
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }
}
