import { api } from "../shell/api.js";
import { announce } from "../ui/announcer.js";
import { confirmed } from "../ui/confirmation.js";
import { element } from "../ui/dom.js";
import { clockTime, longDate } from "../ui/formats.js";
import { FormField } from "../ui/form-field.js";
import { icon } from "../ui/icons.js";
import { messageFor, problemView } from "../ui/problem-view.js";
import { connectionOffer } from "../ui/sources.js";
import { listeningSourceNames } from "./sources.js";
import { listeningTabs } from "./tabs.js";

const shownGaps = 3;

/** Where listens come from: their sources, and what to enter in programs that send them. */
export function show({ main, signal }) {
    const list = element("ul", { class: "entries" }, element("li", { class: "secondary" }, "Loading …"));
    const error = element("p", { class: "field-error", role: "alert" });
    const connection = element("div", {});
    main.replaceChildren(element("div", { class: "detail" }, listeningTabs("programs"),
        element("h1", {}, "Sources of listens"),
        element("div", { class: "listen-sources" },
            element("section", { class: "card" }, element("h2", {}, "Where your listens come from"), error, list),
            element("section", { class: "card" }, element("h2", {}, "Spotify"),
                element("p", {}, "While Spotify is connected, Backline reads what you play there every few minutes. "
                    + "Spotify reports only the last 50 plays, and nothing from private sessions."),
                connection),
            element("section", { class: "card" }, element("h2", {}, "Files"),
                element("p", {}, "Import your history from Spotify, Last.fm, ListenBrainz or Apple Music, or export "
                    + "your listens."),
                element("div", { class: "actions" },
                    element("a", { class: "button primary", href: "/library/import" }, "Import a file"),
                    element("a", { class: "button", href: "/v1/listening/export?format=jsonl", download: true },
                        "Export as JSONL"),
                    element("a", { class: "button", href: "/v1/listening/export?format=csv", download: true },
                        "Export as CSV"))),
            tokenForm(signal), programs())));
    load();
    loadConnection();
    return "Sources of listens";

    async function loadConnection() {
        try {
            const offer = connectionOffer(await api.get("/v1/setup", { signal }), "spotify");
            connection.replaceChildren(offer
                ? element("div", { class: "actions" }, element("a", { class: "button", href: offer.href }, offer.text))
                : element("p", { class: "connected" }, icon("check"), "Spotify is connected."));
        } catch {
            // The page works without it.
        }
    }

    async function load() {
        try {
            const { items } = await api.get("/v1/listening/sources", { signal });
            list.replaceChildren(...items.map(entry));
            if (items.length === 0) list.append(element("li", { class: "secondary" }, "Nothing yet."));
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            list.replaceChildren(element("li", {}, problemView(problem, load, { level: 3 })));
        }
    }

    function entry({ source, lastContactAt, gaps }) {
        const name = listeningSourceNames[source] ?? source;
        return element("li", { class: "entry" },
            element("span", { class: "entry-text" }, element("span", { class: "entry-title" }, name),
                element("span", { class: "secondary" }, `Last update on ${longDate(lastContactAt)}`),
                gaps.slice(0, shownGaps).map(({ from, to }) => element("span", { class: "secondary" },
                    `Plays may be missing from ${clockTime(from)} to ${clockTime(to)}.`)),
                gaps.length > 0 && element("span", { class: "secondary" },
                    "Import your extended history from Spotify to fill the gap.")),
            element("button", {
                class: "button small", type: "button", "aria-label": `Remove listens from “${name}”`,
                onclick: () => remove(source, name),
            }, "Remove"));
    }

    async function remove(source, name) {
        const isMeant = await confirmed({
            title: `Remove listens from “${name}”?`, text: "Plays that other sources also reported stay.",
            action: "Remove",
        });
        if (!isMeant || signal.aborted) return;
        try {
            await api.delete(`/v1/listening/sources/${source}`, { signal });
            announce("Removing the listens …");
            await load();
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }
}

/** Creates a token for a program, and shows it once. */
function tokenForm(signal) {
    const name = new FormField({
        name: "name", label: "Program name", maxlength: "100", required: true, autocomplete: "off",
    });
    const made = element("div", { role: "status" });
    return element("section", { class: "card" },
        element("h2", {}, "Let a program send listens"),
        element("p", {}, "Any program that can send listens to ListenBrainz can send them to Backline. Each needs its "
            + "own token, which can do nothing else. You can revoke it in ",
            element("a", { href: "/profile/settings" }, "your settings"), "."),
        element("form", { onsubmit: make, novalidate: true }, name.element,
            element("button", { class: "button primary" }, "Create token")), made);

    async function make(event) {
        event.preventDefault();
        if (!name.value) {
            name.fail("Give the token a name, so you can tell your programs apart.");
            name.focus();
            return;
        }
        try {
            const { token } = await api.post("/v1/me/tokens", { name: name.value, scope: "listening" }, { signal });
            made.replaceChildren(element("p", {}, "Your token. It is shown only once:"),
                element("p", {}, element("code", { class: "token" }, token)));
            name.input.value = "";
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) name.fail(messageFor(problem));
        }
    }
}

/** What to enter in each program, with this server's address. */
function programs() {
    const server = location.origin;
    return element("section", { class: "card" }, element("h2", {}, "Settings for each program"),
        element("dl", { class: "programs" }, [
            ["Pano Scrobbler", "Server address", `${server}/`],
            ["Navidrome", "ListenBrainz.BaseURL (ND_LISTENBRAINZ_BASEURL)", `${server}/1/`],
            ["Jellyfin, ListenBrainz plugin", "Base URL", server],
            ["multi-scrobbler, as a client", "url", server],
            ["Web Scrobbler", "API URL", `${server}/1/submit-listens`],
            ["Music Assistant and scripts with liblistenbrainz", "api_base_url", server],
        ].flatMap(([program, setting, value]) => [
            element("dt", {}, program),
            element("dd", {}, `${setting}: `, element("code", {}, value)),
        ])));
}
