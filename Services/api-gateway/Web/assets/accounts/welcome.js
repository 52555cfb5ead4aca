import { api } from "../shell/api.js";
import { navigate } from "../shell/navigate.js";
import { element } from "../ui/dom.js";
import { problemView } from "../ui/problem-view.js";
import { onboarding } from "./onboarding.js";

/** The introduction, for people who have just come and for those who want to see it again. */
export function show({ main, signal }) {
    const container = element("div", { class: "narrow" }, element("p", { class: "secondary" }, "Loading …"));
    main.replaceChildren(element("div", { class: "narrow" }, element("h1", {}, "Welcome to Backline"), container));
    load();
    return "Welcome";

    async function load() {
        try {
            const me = await api.get("/v1/me", { signal });
            container.replaceChildren(...[
                onboarding(me, { ended: () => navigate("/feed") }),
                // Who came by Google can sign in again without a token.
                !me.email && element("p", { class: "secondary" },
                    "To sign in on another device, or here after you have signed out, you need a token: ",
                    element("a", { href: "/profile/settings" }, "make one in your settings"), "."),
            ].filter(Boolean));
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            container.replaceChildren(problemView(problem, load, { level: 2 }));
        }
    }
}
