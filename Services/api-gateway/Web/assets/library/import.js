import { api } from "../shell/api.js";
import { EventStream } from "../shell/event-stream.js";
import { announce } from "../ui/announcer.js";
import { confirmed } from "../ui/confirmation.js";
import { element, freshID } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { messageFor, problemView } from "../ui/problem-view.js";
import { importCard } from "./import-card.js";
import { backToLibrary } from "./item-view.js";

export function show({ main, signal }) {
    const error = element("p", { class: "field-error", role: "alert" });
    const upload = element("div", { class: "upload", role: "status" });
    const list = element("ul", { class: "imports", "aria-label": "Imports" });
    const container = element("div", {});
    let imports = [];
    let events = 0;
    main.replaceChildren(element("div", { class: "narrow detail" }, backToLibrary(), element("h1", {}, "Import a file"),
        element("p", { class: "lead" }, "Import songs, playlists and listens without any key or account: your "
            + "library from Apple’s Music app (File, Library, Export Library), playlists as CSV, JSPF or XSPF, "
            + "Spotify’s account data or extended history, your listens from Last.fm, ListenBrainz, Maloja, Koito or "
            + "Apple Music, your songs from Shazam, files that Backline exported, or a zip of these. Nothing is sent to "
            + "a music service."),
        chooser(), upload, error, container, list));
    const stream = new EventStream({ signal });
    for (const event of ["open", "reset"]) stream.addEventListener(event, load, { signal });
    stream.addEventListener("libraryImport", ({ detail }) => update(detail), { signal });
    load();
    return "Import a file";

    async function load() {
        try {
            const before = events;
            const { items } = await api.get("/v1/library/imports", { signal });
            // An event that arrived in the meantime may be newer than the answer.
            if (events !== before) return await load();
            imports = items;
            container.replaceChildren();
            render();
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            container.replaceChildren(problemView(problem, load, { level: 2 }));
        }
    }

    function update(changed) {
        events += 1;
        if (changed.state === "complete") announce("The import is complete.");
        if (changed.state === "failed") announce("The import failed.");
        const isKnown = imports.some(({ id }) => id === changed.id);
        imports = isKnown ? imports.map((one) => (one.id === changed.id ? changed : one)) : [changed, ...imports];
        render();
    }

    function render() {
        list.replaceChildren(...imports.map((one) => element("li", {}, importCard(one, { remove }))));
    }

    function chooser() {
        const id = freshID("file");
        const input = element("input", {
            type: "file", id, class: "visually-hidden", onchange: () => {
                if (input.files.length > 0) send(input.files[0]);
                // Choosing the same file again has to fire the event, too.
                input.value = "";
            },
        });
        const zone = element("div", {
            class: "drop-zone", ondragover: (event) => {
                event.preventDefault();
                zone.classList.add("over");
            },
            ondragleave: () => zone.classList.remove("over"),
            ondrop: (event) => {
                event.preventDefault();
                zone.classList.remove("over");
                const [file] = event.dataTransfer.files;
                if (file) send(file);
            },
        }, icon("upload"), input, element("label", { class: "button primary", for: id }, "Choose a file"),
        element("p", { class: "secondary" }, "or drop it here"));
        return zone;
    }

    async function send(file) {
        error.textContent = "";
        const bar = element("progress", { max: "1", value: "0", "aria-label": `Sending ${file.name}` });
        const share = element("p", {}, `Sending ${file.name} …`);
        upload.replaceChildren(share, bar);
        try {
            await api.upload(`/v1/library/imports?${new URLSearchParams({ filename: file.name })}`, file, {
                signal, progress: (sent) => { bar.value = sent; },
            });
            await load();
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        } finally {
            upload.replaceChildren();
        }
    }

    async function remove(one) {
        const isSure = await confirmed({
            title: `Remove the import of “${one.filename}”?`,
            text: "This deletes the songs, playlists and listens that only this file contains.", action: "Remove",
        });
        if (!isSure) return;
        try {
            await api.delete(`/v1/library/imports/${one.id}`, { signal });
            announce("Removed.");
            await load();
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        }
    }
}
