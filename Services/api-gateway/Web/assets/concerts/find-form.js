import { api } from "../shell/api.js";
import { element } from "../components/dom.js";
import { icon } from "../components/icons.js";
import { remember } from "../shell/preferences.js";
import { wordsFor } from "../components/problem-view.js";
import { navigate } from "../shell/router.js";

/** "Find concerts", with the home city; it leads to the search's own page. */
export function findForm(list, { signal }) {
    const city = element("input", { id: "home-city", autocomplete: "address-level2", maxlength: "200" });
    const reason = element("p", { class: "hint", id: "find-reason" });
    const error = element("p", { class: "field-error", role: "alert" });
    const button = element("button", { class: "button primary", type: "submit", "aria-describedby": "find-reason" },
        icon("ticket"), "Find concerts");
    list.addEventListener("change", render, { signal });
    render();
    showProfileCity();
    return element("form", { class: "card find", novalidate: true, onsubmit: begin },
        element("div", { class: "field" },
            element("label", { for: "home-city" }, "Home city ", element("span", { class: "secondary" }, "(optional)")),
            city),
        button, reason, error);

    function render() {
        const saved = list.artists.filter((artist) => !artist.isNew);
        button.disabled = saved.length === 0;
        reason.textContent = saved.length === 0
            ? "Add an artist first: there is nobody to look for." : "Shows in your home city are marked.";
    }

    /** A search without a city takes that of the profile. */
    async function showProfileCity() {
        // Earlier versions kept a city in the browser, whoever used it next.
        remember("home-city", null);
        // An extra: the search knows it all the same.
        const profile = await api.get("/v1/me", { signal }).catch(() => null);
        if (profile?.homeCity) city.placeholder = profile.homeCity;
    }

    async function begin(event) {
        event.preventDefault();
        button.disabled = true;
        error.textContent = "";
        try {
            // The search is of the list as the gateway has it.
            await list.settled();
            const search = await api.post("/v1/concert-searches", { homeCity: city.value.trim() || null });
            if (!signal.aborted) await navigate(`/explore/concerts/${search.id}`);
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            error.textContent = wordsFor(problem);
            render();
            button.focus();
        }
    }
}
