import { api } from "../shell/api.js";
import { EventStream } from "../shell/event-stream.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { messageFor } from "../ui/problem-view.js";
import { isUnfinished, stateText } from "./list-state.js";
import { songRows } from "./songs.js";

/** The number of songs that the section shows. */
const shown = 10;

/** The section of the Explore page with the songs recommended to the person. */
export function forYou({ signal }) {
    const status = element("p", { role: "status", class: "secondary" });
    const error = element("p", { class: "field-error", role: "alert" });
    const songs = element("div", {});
    const button = element("button", { class: "button small", type: "button", onclick: ask }, "Recommend songs");
    const section = element("section", { class: "for-you", "aria-labelledby": "for-you" },
        element("div", { class: "for-you-head" }, element("h2", { id: "for-you" }, "For you"), button),
        status, error, songs);
    let awaited = null;
    const stream = new EventStream({ signal });
    for (const event of ["open", "reset"]) stream.addEventListener(event, () => awaited && load(), { signal });
    stream.addEventListener("curatedList", ({ detail }) => {
        if (detail.kind !== "recommendations") return;
        if (isUnfinished(detail)) {
            if (detail.id === awaited) status.textContent = `${stateText(detail)} …`;
        } else if (detail.id === awaited && detail.state === "failed") {
            finish();
            error.textContent = detail.error.message;
        } else load();
    }, { signal });
    load();
    return section;

    async function load() {
        try {
            const list = await api.get("/v1/ai/recommendations", { signal });
            if (!list) {
                if (!awaited) status.textContent = "Songs that go with what you listen to, each with a reason.";
                return;
            }
            if (awaited && list.id !== awaited) return;
            if (awaited) announce("Your recommendations are ready.");
            finish();
            button.textContent = "Recommend others";
            status.textContent = list.fallback ?? "";
            songs.replaceChildren(list.tracks.length > 0
                ? songRows({ ...list, tracks: list.tracks.slice(0, shown) }, { dismissible: true, signal }) : "");
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }

    async function ask() {
        error.textContent = "";
        button.disabled = true;
        status.textContent = "Asking …";
        try {
            awaited = (await api.post("/v1/ai/recommendations", { size: 20 })).id;
            await load();
        } catch (problem) {
            finish();
            status.textContent = "";
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }

    function finish() {
        awaited = null;
        button.disabled = false;
    }
}
