import { api } from "../shell/api.js";
import { connection } from "../shell/connection.js";
import { element } from "../ui/dom.js";
import { emptyView, problemView } from "../ui/problem-view.js";

/**
 * The page of one item of the library: it shows that it is loading, that there is none, or an error with a way to try
 * again. `path` is the API's, `content(item)` returns the elements of the item. The document's title is that of the
 * item. Returns `{ title, load }`.
 */
export function detailView({ main, signal, place }, { title, noun, path, content, back = backToLibrary() }) {
    const view = element("div", { class: "detail" }, back, element("h1", {}, title),
        element("p", { class: "secondary", role: "status" }, "Loading …"));
    main.replaceChildren(view);
    connection.addEventListener("restored", () => view.querySelector(".notice-view") && load(), { signal });
    load();
    return { title, load };

    async function load() {
        try {
            const item = await api.get(path, { signal });
            const hadFocus = document.activeElement === view.querySelector("h1");
            view.replaceChildren(back, ...[content(item)].flat().filter(Boolean));
            const heading = view.querySelector("h1");
            document.title = `${heading.textContent} · Backline`;
            if (!hadFocus || place) return;
            heading.tabIndex = -1;
            heading.focus({ preventScroll: true });
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            const notice = problem.status === 404 ? emptyView({
                picture: "library", title: `There is no such ${noun}`,
                text: `The ${noun} may have left your library, or the address may be mistyped.`,
                actions: [element("a", { class: "button primary", href: "/library" }, "Go to your library")],
            }) : problemView(problem, load, { level: 2 });
            view.replaceChildren(back, element("h1", {}, title), notice);
        }
    }
}

/** The link above a page of the library. */
export function backToLibrary(href = "/library", text = "Library") {
    return element("p", { class: "way" }, element("a", { href }, `← ${text}`));
}

/** A part of a page below a heading of its own. */
export function section(title, ...content) {
    return element("section", { class: "card detail-part", "aria-label": title },
        element("h2", {}, title), ...content);
}
