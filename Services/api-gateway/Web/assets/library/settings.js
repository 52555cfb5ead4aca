import { announce } from "../ui/announcer.js";
import { api } from "../shell/api.js";
import { element, freshID } from "../ui/dom.js";
import { clockTime, longDate } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { messageFor, problemView } from "../ui/problem-view.js";
import { connectedSources, sourceName, sources } from "../ui/sources.js";
import { backToLibrary, section } from "./item-view.js";
import { LibrarySync } from "./library-sync.js";
import { SyncBanner } from "./sync-banner.js";

export function show({ main, signal }) {
    const sync = new LibrarySync({ signal });
    const banner = new SyncBanner(sync, { signal });
    const container = element("div", { class: "settings-parts" }, element("p", { class: "secondary" }, "Loading …"));
    main.replaceChildren(element("div", { class: "narrow" }, backToLibrary(), element("h1", {}, "Library settings"),
        banner.element, container));
    load();
    return "Library settings";

    async function load() {
        try {
            const read = (path) => api.get(path, { signal });
            const [checklist, summary, settings] = await Promise.all(
                [read("/v1/setup"), read("/v1/library/summary"), read("/v1/library/settings")]);
            const connected = connectedSources(checklist);
            const steps = new Map([...checklist.steps, ...checklist.optional].map((step) => [step.id, step]));
            container.replaceChildren(
                section("Music services",
                    Object.keys(sources).map((source) => service(source, steps.get(source), connected)),
                    element("p", { class: "secondary" }, summary.lastSyncedAt
                        ? `Last synced ${clockTime(summary.lastSyncedAt)}.` : "Not synced yet.")),
                remasters(settings), files());
            if (connected.length > 0) sync.follow();
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            container.replaceChildren(problemView(problem, load, { level: 2 }));
        }
    }

    function service(source, step, connected) {
        const name = sourceName(source);
        const { setup } = sources[source];
        if (!connected.includes(source)) {
            return element("div", { class: "service" }, element("div", {}, element("h3", {}, name),
                element("p", { class: "secondary" }, "Not connected")),
            element("a", { class: "button", href: setup }, `Connect ${name}`));
        }
        const since = step?.connectedAt ? `Connected since ${longDate(step.connectedAt)}` : "Connected";
        return element("div", { class: "service" },
            element("div", {}, element("h3", {}, name), element("p", { class: "secondary" },
                step?.state === "needsAttention" ? "Needs attention" : since)),
            element("div", { class: "detail-buttons" }, syncButton(source, name),
                element("a", { class: "button", href: setup }, `Disconnect ${name}`)));
    }

    /** A service's own button reads the service even if it has just been read. */
    function syncButton(source, name) {
        const button = element("button", { class: "button", type: "button", onclick: () => banner.begin({ source }) },
            icon("refresh"), `Sync ${name}`);
        const show = () => button.setAttribute("aria-disabled", String(sync.isUnfinished));
        sync.addEventListener("change", show, { signal });
        show();
        return button;
    }

    function files() {
        const way = (format, label) => element("a", { class: "button", href: `/v1/library/export?format=${format}` },
            icon("download"), label);
        return section("Files",
            element("p", { class: "secondary" }, "Save your library as a file for Backline and other programs: all "
                + "songs as CSV, or songs and playlists as JSON."),
            element("div", { class: "detail-buttons" }, way("csv", "Export as CSV"), way("json", "Export as JSON"),
                element("a", { class: "button", href: "/library/import" }, icon("upload"), "Import a file")));
    }

    function remasters({ remastersAreSame }) {
        const id = freshID("remasters");
        const error = element("p", { class: "field-error", role: "alert" });
        const box = element("input", {
            type: "checkbox", id, checked: remastersAreSame, "aria-describedby": `${id}-hint`, onchange: change,
        });
        return section("Songs",
            element("div", { class: "choice-line" }, box,
                element("div", {}, element("label", { for: id }, "A remaster is the same song as the original"),
                    element("p", { class: "hint", id: `${id}-hint` },
                        "If you change this, Backline checks all your songs again. It may take a minute."))), error);

        async function change() {
            error.textContent = "";
            try {
                await api.patch("/v1/library/settings", { remastersAreSame: box.checked }, { signal });
                announce("Saved.");
            } catch (problem) {
                if (signal.aborted || problem.status === 401) return;
                box.checked = !box.checked;
                error.textContent = messageFor(problem);
            }
        }
    }
}
