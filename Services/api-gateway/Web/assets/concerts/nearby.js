import { announce } from "../ui/announcer.js";
import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { counted } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { replaceAddress } from "../shell/navigate.js";
import { emptyView, messageFor, problemView } from "../ui/problem-view.js";
import { ConcertList } from "./concert-list.js";
import { ConcertPages, searchPath, shownAtATime } from "./concert-pages.js";
import { groupings } from "./grouping.js";
import { watchSearch } from "./search-watch.js";
import { searchWarnings } from "./search-warnings.js";

/** The choices of a radius, in kilometers. */
const radii = [10, 25, 50, 100, 200];
const standardRadius = 50;

/** The concerts in a city and around it: `/explore/nearby?city=Prague&radius=50`. */
export function show({ main, signal }) {
    const query = new URLSearchParams(location.search);
    const wanted = Number(query.get("radius"));
    const city = element("input", {
        id: "nearby-city", autocomplete: "address-level2", maxlength: "200", value: query.get("city") ?? "",
        "aria-describedby": "nearby-error",
    });
    const radius = element("select", { id: "nearby-radius" }, radii.map((kilometers) =>
        element("option", {
            value: kilometers, selected: kilometers === (radii.includes(wanted) ? wanted : standardRadius),
        }, `${kilometers} km`)));
    const error = element("p", { class: "field-error", id: "nearby-error", role: "alert" });
    const status = element("p", { class: "count" });
    const warnings = element("div");
    const container = element("div", { class: "below-heading" });
    const more = element("button", { class: "button more", type: "button", onclick: loadMore }, "Load more");
    // Aborted when the person asks for another area.
    let question = null;
    let pages = null;
    let list = null;

    main.replaceChildren(
        element("nav", { class: "way", "aria-label": "Back" }, element("a", { href: "/explore" }, "← Explore")),
        element("div", { class: "headline" }, element("h1", { tabindex: "-1" }, "Concerts nearby"), status),
        element("form", { class: "nearby", novalidate: true, onsubmit: submit },
            element("div", { class: "field" }, element("label", { for: "nearby-city" }, "City"), city),
            element("div", { class: "field" }, element("label", { for: "nearby-radius" }, "Within"), radius),
            element("button", { class: "button primary", type: "submit" }, icon("explore"), "Show concerts")),
        error, warnings, container);
    signal.addEventListener("abort", () => question?.abort());
    begin();
    return "Concerts nearby";

    /** Without a city in the address, the page begins with the city of the profile. */
    async function begin() {
        if (!city.value) {
            const profile = await api.get("/v1/me", { signal }).catch(() => null);
            if (signal.aborted) return;
            if (!city.value && profile?.homeCity) city.value = profile.homeCity;
        }
        if (city.value.trim()) return ask();
        container.replaceChildren(emptyView({
            picture: "ticket", title: "Enter a city", text: "You see all concerts there and around it, whoever plays.",
        }));
    }

    function submit(event) {
        event.preventDefault();
        if (city.value.trim()) return ask();
        fail("Enter a city.");
        city.focus();
    }

    function fail(text) {
        error.replaceChildren(...text ? [icon("alert"), text] : []);
        if (text) city.setAttribute("aria-invalid", "true");
        else city.removeAttribute("aria-invalid");
    }

    async function ask() {
        question?.abort();
        question = new AbortController();
        const { signal: asked } = question;
        fail("");
        const area = new URLSearchParams({ city: city.value.trim(), radius: radius.value });
        replaceAddress(`/explore/nearby?${area}`);
        status.textContent = "";
        warnings.replaceChildren();
        container.replaceChildren(element("p", { class: "secondary", role: "status" }, "Looking for concerts …"));
        try {
            const fresh = new ConcertPages(`/v1/concerts/nearby?${area}`, { signal: asked });
            await fresh.begin();
            if (asked.aborted) return;
            // An answer without an id is complete; otherwise a search has begun.
            if (fresh.search.id === null) return render(fresh, null);
            follow(fresh.search.id, asked);
        } catch (problem) {
            showProblem(problem, asked);
        }
    }

    /** Waits for the end of a search, and shows its concerts. */
    function follow(id, asked) {
        const watching = new AbortController();
        asked.addEventListener("abort", () => watching.abort());
        const end = async () => {
            watching.abort();
            try {
                const found = new ConcertPages(searchPath(id), { signal: asked });
                await found.begin();
                if (!asked.aborted) render(found, id);
            } catch (problem) {
                showProblem(problem, asked);
            }
        };
        watchSearch(id, {
            signal: watching.signal, changed: ({ state }) => state === "running" || watching.signal.aborted || end(),
            failed: (problem) => showProblem(problem, asked),
        });
    }

    function render(found, id) {
        pages = found;
        list = new ConcertList(id);
        const retry = () => repeat(id);
        warnings.replaceChildren(...[searchWarnings(pages.search, { retry })].filter(Boolean));
        if (pages.concerts.length === 0) {
            container.replaceChildren(emptyView({
                picture: "ticket", title: "No concerts found",
                text: pages.search.state === "failed"
                    ? "The warnings above give the reasons." : "Try a greater distance, or another city.",
            }));
            announce("No concerts found.");
            return;
        }
        container.replaceChildren(list.element, more);
        reveal(shownAtATime);
        announce(`${status.textContent}.`);
    }

    async function repeat(id) {
        if (!id) return ask();
        try {
            await api.post(`${searchPath(id)}/retry`);
            warnings.replaceChildren();
            container.replaceChildren(element("p", { class: "secondary", role: "status" }, "Looking for concerts …"));
            follow(id, question.signal);
        } catch (problem) {
            showProblem(problem, question.signal);
        }
    }

    /** Shows the first `count` of the concerts read so far. Returns the element of the first new one. */
    function reveal(count) {
        const first = list.show(pages.concerts, groupings.date, count);
        const isAll = pages.isComplete && list.count === pages.concerts.length;
        more.hidden = isAll;
        status.textContent = isAll ? counted(list.count, "concert") : `The first ${counted(list.count, "concert")}`;
        return first;
    }

    async function loadMore() {
        more.disabled = true;
        const asked = question.signal;
        try {
            // The concerts of an area are sorted by date.
            await pages.readUpTo(list.count + shownAtATime);
            if (asked.aborted) return;
            const first = reveal(list.count + shownAtATime);
            first?.querySelector("article").focus({ preventScroll: true });
        } catch (problem) {
            if (!asked.aborted && problem.status !== 401) fail(messageFor(problem));
        } finally {
            more.disabled = false;
        }
    }

    function showProblem(problem, asked) {
        if (asked.aborted || problem.status === 401) return;
        if (problem.status === 422) {
            container.replaceChildren();
            fail(messageFor(problem));
            return city.focus();
        }
        container.replaceChildren(problemView(problem, ask, { level: 2 }));
    }
}
