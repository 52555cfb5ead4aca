import { api } from "../shell/api.js";
import { confirmed } from "../ui/confirmation.js";
import { element } from "../ui/dom.js";
import { featureCard } from "../ui/feature-card.js";
import { icon } from "../ui/icons.js";
import { listRow } from "../ui/list-row.js";
import { ListView } from "../ui/list-view.js";
import { openMenu } from "../ui/menu.js";
import { picture } from "../ui/picture.js";
import { playerBar } from "../ui/player-bar.js";
import { emptyView, problemView } from "../ui/problem-view.js";
import { openSheet } from "../ui/sheet.js";
import { Tabs } from "../ui/tabs.js";
import { toast } from "../ui/toast.js";
import { forAdminsOnly } from "./admins-only.js";

/** The length of the sample list: as long as a large library. */
const rows = 100_000;

export function show({ main, signal }) {
    const title = "Components";
    const refusal = forAdminsOnly(title);
    if (refusal) {
        main.replaceChildren(...refusal);
        return title;
    }
    main.replaceChildren(
        element("p", { class: "way" }, element("a", { href: "/operations" }, "← Operations")),
        element("h1", {}, title),
        element("p", { class: "lead" }, "The components that all pages share, in each of their states."),
        part("Pictures", pictures()), part("Buttons", buttons()), part("Tabs", tabs()), part("Menu", menu()),
        part("Sheet and question", sheets(signal)), part("Toast", toasts()), part("Player", players()),
        part("Inline notices", notices()), part("Feature card", featureCard({
            href: "/operations", picture: "operations", title: "A feature", text: "It leads to what a person can do.",
        })), part("Row", element("ul", { class: "rows" }, row(0), row(1))),
        part("Virtual list", list(signal)));
    return title;
}

function part(title, ...content) {
    return element("section", { class: "operations-section component", "aria-label": title },
        element("h2", {}, title), content.flat());
}

function line(...content) {
    return element("div", { class: "component-line" }, content);
}

function pictures() {
    // Two files of the site, of which the second is not a picture. A missing file would be an error in the console.
    const [right, wrong] = ["icon.svg", "shell.css"].map((file) => `${location.origin}/assets/shell/${file}`);
    return line(picture(right, "With a picture"), picture(null, "Imagine Dragons"),
        picture(wrong, "Wrong File"), picture(null, "Björk", { size: 64 }),
        element("div", { class: "component-large" }, picture(null, "Large Picture", { size: 240 })));
}

function buttons() {
    const button = (text, properties = {}) =>
        element("button", { class: "button", type: "button", ...properties }, text);
    return line(button("Plain"), button("Primary", { class: "button primary" }),
        button("Soft", { class: "button soft" }), button("Dangerous", { class: "button danger" }),
        button("Disabled", { disabled: true }), button("Busy", { "aria-disabled": "true" }),
        element("button", { class: "icon-button", type: "button", "aria-label": "Icon" }, icon("more")));
}

function tabs() {
    const made = new Tabs({
        label: "Sample tabs", tabs: { one: "First", two: "Second", three: "Third" }, current: "one", open: fill,
    });
    fill("one");
    return [made.element, made.panel];

    function fill(name) {
        made.panel.replaceChildren(element("p", { class: "component-panel" }, `The panel of the tab “${name}”.`));
    }
}

const items = [
    { label: "A button", picture: "play", action: () => toast("A button of the menu was pressed.") },
    { label: "A link", picture: "library", href: "/library" },
    { label: "A link to another site", picture: "music", href: "https://open.spotify.com", external: true },
    { label: "Not possible", picture: "plus", reason: "This says why." },
];

function menu() {
    const button = (text, entries) => element("button", {
        class: "button", type: "button", "aria-haspopup": "menu", "aria-expanded": "false",
        onclick: ({ currentTarget: at }) => openMenu({ label: text, items: entries(), at, opener: at }),
    }, text);
    return line(button("Open the menu", () => items),
        button("Open a slow menu", () => new Promise((resolve) => { setTimeout(() => resolve(items), 1_500); })));
}

function sheets(signal) {
    const answer = element("p", { class: "secondary", role: "status" });
    return [line(
        element("button", { class: "button", type: "button", onclick: async () => {
            const chosen = await openSheet({ title: "A sheet", content: (close) => ["Yes", "No"].map((text) =>
                element("button", { class: "button", type: "button", onclick: () => close(text) }, text)) });
            answer.textContent = chosen ? `The answer was “${chosen}”.` : "The sheet was closed.";
        } }, "Open a sheet"),
        element("button", { class: "button", type: "button", onclick: async () => {
            const isMeant = await confirmed({
                title: "A question?", text: "Asked before an action that cannot be undone.", action: "Do it",
            });
            if (!signal.aborted) answer.textContent = isMeant ? "Confirmed." : "Not confirmed.";
        } }, "Ask a question")), answer];
}

function toasts() {
    const button = (text, make) => element("button", { class: "button", type: "button", onclick: make }, text);
    return line(button("Show a toast", () => toast("Something was done.")),
        button("With undo", () => toast("Something was done.", { undo: async () => {} })),
        button("With an undo that fails", () => toast("Something was done.", {
            undo: async () => { throw new Error("It could not be undone."); },
        })));
}

const missing = { url: null, detail: "There is no preview of this song." };

/** The preview of the latest song in the administrator's library. */
async function ownPreview(signal) {
    const { items: [track] } = await api.get("/v1/library/tracks?limit=1", { signal });
    if (!track) return { url: null, detail: "Your library has no songs." };
    return await api.get(`/v1/library/tracks/${track.id}/preview`, { signal });
}

function players() {
    const button = (text, key, find) => element("button", {
        class: "button", type: "button",
        onclick: () => playerBar.play({ key, title: text, artist: "Sample artist", picture: null }, find),
    }, icon("play"), text);
    return line(button("A song of your library", "sample-own", ownPreview),
        button("A song without a preview", "sample-missing", async () => missing),
        button("A preview that loads slowly", "sample-slow", () => new Promise(() => {})),
        button("A preview that fails", "sample-failing", async () => ({ url: "/assets/shell/missing.mp3" })));
}

function notices() {
    return element("div", { class: "component-notices" },
        emptyView({ picture: "library", title: "An empty list", text: "This says what to do.", level: 3 }),
        problemView(new Error("sample"), () => toast("Tried again."), { level: 3 }));
}

function row(index) {
    const title = `Sample song ${index + 1}`;
    return listRow({
        title, label: `${title} by Sample artist`, href: "/operations/components", song: `sample-${index}`,
        parts: ["Sample artist"], narrow: ["Sample album"],
        columns: [{ kind: "second", content: "Sample album" }, { kind: "date", content: "20 Nov 2026" },
            { kind: "aside", content: "3:07" }],
        marks: [element("span", { class: "mark source", "data-source": "spotify" },
            icon("waves"), element("span", { class: "source-name" }, "Spotify"))],
        play: () => playerBar.play(
            { key: `sample-${index}`, title, artist: "Sample artist", picture: null }, async () => missing),
        menu: () => items,
    });
}

function list(signal) {
    const view = new ListView({
        label: "Sample songs", columns: ["Title", "Album", "From", "Added", "Time"], signal, row: ({ id }) => row(id),
        // No request: the samples are made here.
        load: async ({ position, limit }) => ({
            items: Array.from({ length: Math.min(limit, rows - position) }, (_, offset) => ({ id: position + offset })),
            total: rows,
        }),
        empty: () => emptyView({ picture: "library", title: "No samples", text: "There are none.", level: 3 }),
    });
    queueMicrotask(() => view.begin());
    return view.element;
}
