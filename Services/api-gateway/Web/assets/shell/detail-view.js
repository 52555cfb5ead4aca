import { element } from "../ui/dom.js";
import { emptyView, problemView } from "../ui/problem-view.js";
import { api } from "./api.js";
import { connection } from "./connection.js";

/**
 * The page of one item. It also shows that the item is loading, does not exist, or could not be read, with a button to
 * try again. `path` is the API's, `content(item)` returns the item's elements, `missing` is what `emptyView` shows for
 * an item that does not exist, and `failure(problem, load)` returns the view of any other error. The document gets the
 * item's title. Returns `{ title, load }`.
 */
export function detailView(
    { main, signal, scrollPosition }, { title, path, content, back, missing, failure = problemWithRetry }) {
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
            if (!hadFocus || scrollPosition) return;
            heading.tabIndex = -1;
            heading.focus({ preventScroll: true });
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            view.replaceChildren(back, element("h1", {}, title),
                problem.status === 404 ? emptyView(missing) : failure(problem, load));
        }
    }
}

function problemWithRetry(problem, retry) {
    return problemView(problem, retry, { level: 2 });
}
