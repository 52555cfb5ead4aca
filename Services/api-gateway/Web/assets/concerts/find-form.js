import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { remember } from "../shell/preferences.js";
import { messageFor } from "../ui/problem-view.js";
import { navigate } from "../shell/navigate.js";
import { RunningSearch } from "./running-search.js";

/** The form that starts a search and goes to the search's page. */
export function findForm(list, { signal }) {
    const city = element("input", { id: "home-city", autocomplete: "address-level2", maxlength: "200" });
    const reason = element("p", { class: "hint", id: "find-reason" });
    const error = element("p", { class: "field-error", role: "alert" });
    const button = element("button", { class: "button primary", type: "submit", "aria-describedby": "find-reason" },
        icon("ticket"), "Find concerts");
    const running = new RunningSearch({ signal, changed: render });
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
        button.disabled = saved.length === 0 || running.address !== null;
        if (running.address) {
            reason.replaceChildren("A search is running. ", element("a", { href: running.address }, "See its progress"));
        } else {
            reason.textContent = saved.length === 0
                ? "Add an artist first." : "Concerts in your home city are marked.";
        }
    }

    /** Shows the profile's city as the placeholder: a search without a city uses it. */
    async function showProfileCity() {
        // Earlier versions stored a city in the browser, where the next person to sign in found it.
        remember("home-city", null);
        // The search uses the profile's city even if the page cannot show it.
        const profile = await api.get("/v1/me", { signal }).catch(() => null);
        if (profile?.homeCity) city.placeholder = profile.homeCity;
    }

    async function begin(event) {
        event.preventDefault();
        button.disabled = true;
        error.textContent = "";
        try {
            // The gateway searches for the list that it has saved.
            await list.allAnswered();
            const search = await api.post("/v1/concert-searches", { homeCity: city.value.trim() || null });
            if (!signal.aborted) await navigate(`/explore/concerts/${search.id}`);
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            error.textContent = messageFor(problem);
            render();
            button.focus();
        }
    }
}
