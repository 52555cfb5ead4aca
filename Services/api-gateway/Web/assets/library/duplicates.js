import { announce } from "../ui/announcer.js";
import { api } from "../shell/api.js";
import { descriptionOf, element } from "../ui/dom.js";
import { counted, trackTime } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { picture } from "../ui/picture.js";
import { previewDescription } from "../ui/player-bar.js";
import { emptyView, messageFor, problemView } from "../ui/problem-view.js";
import { decide } from "./decisions.js";
import { backToLibrary } from "./item-view.js";
import { sourceBadges } from "./rows.js";
import { librarySong, playSong } from "../songs/song.js";
import { songLabel } from "../songs/song-parts.js";

/** The number of pairs read at once. */
const pageSize = 20;

export function show({ main, signal }) {
    const status = element("p", { class: "count", role: "status" });
    const container = element("div", {}, element("p", { class: "secondary" }, "Loading …"));
    const error = element("p", { class: "field-error", role: "alert" });
    const lead = element("p", { class: "lead" }, "Backline is not sure whether these are the same song. Press ",
        element("kbd", {}, "Y"), " for the same song, ", element("kbd", {}, "N"), " for different songs, ",
        element("kbd", {}, "S"), " to skip.");
    let [pairs, skipped, isDeciding] = [[], 0, false];
    main.replaceChildren(element("div", { class: "detail" }, backToLibrary(),
        element("div", { class: "headline" }, element("h1", {}, "Likely duplicates"), status),
        lead, error, container));
    // Keys count only without a modifier, and only while the person is not typing.
    addEventListener("keydown", (event) => {
        if (event.altKey || event.ctrlKey || event.metaKey || event.repeat || pairs.length === 0) return;
        if (event.target.closest?.("input, textarea, select, [role=menu], dialog")) return;
        const action = { y: () => answer(true), n: () => answer(false), s: skip }[event.key.toLowerCase()];
        if (!action) return;
        event.preventDefault();
        action();
    }, { signal });
    load();
    return "Likely duplicates";

    async function load({ keepsFocus = false } = {}) {
        try {
            const parts = new URLSearchParams({ position: skipped, limit: pageSize });
            const page = await api.get(`/v1/library/duplicates?${parts}`, { signal });
            pairs = page.items;
            // The skipped pairs come up again after the last one.
            if (pairs.length === 0 && skipped > 0) {
                skipped = 0;
                return load({ keepsFocus });
            }
            status.textContent = counted(page.total, "pair");
            render({ keepsFocus });
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            container.replaceChildren(problemView(problem, () => load(), { level: 2 }));
        }
    }

    function render({ keepsFocus }) {
        lead.hidden = pairs.length === 0;
        if (pairs.length === 0) {
            return container.replaceChildren(emptyView({
                picture: "check", title: "Nothing to decide",
                text: "Backline sees no likely duplicates in your library. A later sync may find some.",
                actions: [element("a", { class: "button", href: "/library" }, "Go to your library")],
            }));
        }
        const card = pairCard(pairs[0]);
        container.replaceChildren(card);
        if (keepsFocus) card.focus({ preventScroll: true });
    }

    function pairCard({ songs, evidence }) {
        return element("article", { class: "pair", tabindex: "-1", "aria-label": songs.map(songLabel).join(" and ") },
            element("div", { class: "pair-songs" }, songs.map((song) => songCard(song))),
            element("ul", { class: "sentences" }, evidence.map((sentence) => element("li", {}, sentence))),
            element("div", { class: "detail-buttons" },
                element("button", { class: "button primary", type: "button", onclick: () => answer(true) },
                    icon("merge"), "Same song ", element("kbd", { "aria-hidden": "true" }, "Y")),
                element("button", { class: "button", type: "button", onclick: () => answer(false) },
                    icon("split"), "Different songs ", element("kbd", { "aria-hidden": "true" }, "N")),
                element("button", { class: "button plain", type: "button", onclick: skip },
                    "Skip ", element("kbd", { "aria-hidden": "true" }, "S"))));
    }

    async function answer(isSame) {
        if (isDeciding) return;
        isDeciding = true;
        error.textContent = "";
        const { tracks, songs } = pairs[0];
        const names = songs.map(({ title }) => `“${title}”`).join(" and ");
        try {
            await decide({
                path: isSame ? "/v1/library/merges" : "/v1/library/splits", body: { trackIds: tracks },
                text: `${names} are ${isSame ? "one song" : "different songs"}.`,
                changed: () => load({ keepsFocus: true }),
            });
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
        } finally {
            isDeciding = false;
        }
    }

    async function skip() {
        if (isDeciding) return;
        skipped += 1;
        pairs = pairs.slice(1);
        announce("Skipped.");
        if (pairs.length > 0) render({ keepsFocus: true });
        else await load({ keepsFocus: true });
    }
}

function songCard(song) {
    const { title, artist, album, durationMs, isrc, sources } = song;
    return element("div", { class: "card pair-song", "data-song": song.id },
        picture(song.picture, title, { size: 64 }),
        element("div", {},
            element("h2", {}, element("a", { href: `/library/tracks/${song.id}` }, element("bdi", {}, title))),
            element("p", {}, element("bdi", {}, artist)),
            element("p", { class: "secondary" }, [album, durationMs && trackTime(durationMs), isrc]
                .filter(Boolean).join(" · ")),
            element("p", { class: "marks" }, sourceBadges(sources).flatMap((mark) => [" ", mark])),
            element("button", {
                class: "button small", type: "button", "aria-describedby": descriptionOf(previewDescription),
                onclick: () => playSong(librarySong(song)),
            }, icon("play"), "Preview")));
}
