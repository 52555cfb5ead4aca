import { announce } from "./announcer.js";
import { element } from "./dom.js";
import { trackTime } from "./formats.js";
import { icon } from "./icons.js";
import { picture } from "./picture.js";

/** What a screen reader says about a button that plays a preview. */
export const previewDescription = "Plays a preview of up to 30 seconds in the bar at the bottom, or pauses it.";
/** How far the arrow keys seek, in seconds. */
const step = 5;

/**
 * Plays previews of songs, one at a time, with a bar at the lower edge of the window that outlives pages. Meanwhile,
 * the song's rows (`data-song` is its key) have the class `playing`.
 */
class PlayerBar {
    #audio = new Audio();
    #song = null;
    #request = new AbortController();
    #picture = element("span", {});
    #title = element("p", { class: "player-title" });
    #text = element("p", { class: "player-text" });
    #time = element("span", { class: "player-time" });
    #toggle = element("button", { class: "icon-button player-toggle", type: "button", onclick: () => this.#switch() });
    #slider = element("input", {
        type: "range", min: "0", step: "any", value: "0", "aria-label": "Position in the preview",
        oninput: () => { this.#audio.currentTime = Number(this.#slider.value); },
        onkeydown: (event) => this.#seek(event),
    });
    #stop = element("button", {
        class: "icon-button", type: "button", "aria-label": "Stop", onclick: () => this.stop(),
    }, icon("cross"));
    #bar = element("section", { class: "player", "aria-label": "Preview", hidden: true },
        this.#picture, element("div", { class: "player-words" }, this.#title, this.#text),
        this.#toggle, element("div", { class: "player-seek" }, this.#slider, this.#time), this.#stop);

    constructor() {
        this.#audio.preload = "auto";
        for (const event of ["play", "playing", "pause", "waiting", "timeupdate", "durationchange", "ended"]) {
            this.#audio.addEventListener(event, () => this.#show());
        }
        this.#audio.addEventListener("error", () => this.#fail("The preview could not be played."));
    }

    /** The key of the song that is playing, or being loaded; `null` for none. */
    get playing() {
        return this.#song && !this.#audio.paused ? this.#song.key : this.#song?.isLoading ? this.#song.key : null;
    }

    /**
     * Plays a song's preview, or pauses it if it is playing. `song` is `{ key, title, artist, picture }`;
     * `find(signal)` resolves to `{ url, detail }`: the preview's address, or `null` and why there is none.
     */
    async play(song, find) {
        if (this.#song?.key === song.key && !this.#song.problem) return this.#switch();
        this.#begin(song);
        const { signal } = this.#request;
        try {
            const { url, detail } = await find(signal);
            if (signal.aborted) return;
            if (!url) return this.#fail(detail ?? "There is no preview of this song.");
            this.#audio.src = url;
            this.#song.isLoading = false;
            await this.#audio.play();
            announce(`Playing a preview of ${song.title}.`);
        } catch (problem) {
            // A later song has stopped this one from loading.
            if (signal.aborted || problem.name === "AbortError") return;
            this.#fail(problem.name === "Problem" ? problem.message : "The preview could not be played.");
        }
    }

    stop() {
        if (!this.#song) return;
        const hadFocus = this.#bar.contains(document.activeElement);
        const { key } = this.#song;
        this.#end();
        this.#bar.hidden = true;
        document.documentElement.classList.remove("has-player");
        this.#mark();
        if (hadFocus) {
            const row = [...document.querySelectorAll("[data-song]")].find(({ dataset }) => dataset.song === key);
            (row?.querySelector("[data-control]") ?? document.getElementById("main")).focus({ preventScroll: true });
        }
    }

    #begin(song) {
        this.#end();
        this.#song = { ...song, isLoading: true, problem: null };
        if (!this.#bar.isConnected) document.body.append(this.#bar);
        this.#bar.hidden = false;
        document.documentElement.classList.add("has-player");
        this.#picture.replaceChildren(picture(song.picture, song.title));
        this.#title.textContent = song.title;
        this.#show();
    }

    #end() {
        this.#request.abort();
        this.#request = new AbortController();
        this.#song = null;
        this.#audio.pause();
        // Setting an empty source would raise an error.
        this.#audio.removeAttribute("src");
    }

    #fail(text) {
        if (!this.#song) return;
        Object.assign(this.#song, { isLoading: false, problem: text });
        this.#show();
        announce(text);
    }

    #switch() {
        const { isLoading, problem } = this.#song ?? {};
        if (isLoading || problem || !this.#audio.src) return;
        if (this.#audio.paused) this.#audio.play().catch(() => this.#fail("The preview could not be played."));
        else this.#audio.pause();
    }

    #seek(event) {
        const way = { ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step }[event.key];
        if (!way) return;
        event.preventDefault();
        this.#audio.currentTime = Math.min(Math.max(0, this.#audio.currentTime + way), this.#audio.duration || 0);
        this.#show();
    }

    #show() {
        if (!this.#song) return;
        const { artist, isLoading, problem } = this.#song;
        const { paused, currentTime } = this.#audio;
        const duration = Number.isFinite(this.#audio.duration) ? this.#audio.duration : 0;
        this.#text.textContent = problem ?? (isLoading ? "Looking for a preview …" : artist);
        this.#text.classList.toggle("player-problem", Boolean(problem));
        this.#toggle.disabled = isLoading || Boolean(problem);
        if (this.#toggle.dataset.shows !== String(paused)) {
            this.#toggle.dataset.shows = String(paused);
            this.#toggle.replaceChildren(icon(paused ? "play" : "pause"));
            this.#toggle.ariaLabel = paused ? "Play" : "Pause";
        }
        this.#slider.disabled = duration === 0;
        this.#slider.max = duration || 1;
        this.#slider.value = currentTime;
        const [now, end] = [currentTime, duration].map((seconds) => trackTime(1_000 * Math.floor(seconds)));
        this.#slider.setAttribute("aria-valuetext", `${now} of ${end}`);
        this.#time.textContent = duration ? `${now} / ${end}` : "";
        this.#mark();
    }

    #mark() {
        const { playing } = this;
        for (const row of document.querySelectorAll("[data-song]")) {
            row.classList.toggle("playing", row.dataset.song === playing);
        }
    }
}

export const playerBar = new PlayerBar();
