import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { problemView } from "../ui/problem-view.js";
import { DeviceSwitch } from "./device-switch.js";
import { kindSettings } from "./kind-settings.js";
import { policySettings } from "./policy-settings.js";
import { PushTargets } from "./push-targets.js";
import { quietHours } from "./quiet-hours.js";

/** Of what the person is notified, where, and when not. */
export function show({ main, signal }) {
    const parts = element("div", {}, element("p", { class: "secondary" }, "Loading …"));
    main.replaceChildren(element("div", { class: "narrow" },
        element("p", { class: "way" }, element("a", { href: "/profile/settings" }, "← Settings")),
        element("h1", { tabindex: "-1" }, "Notification settings"),
        element("p", {}, "What happens appears in your ",
            element("a", { href: "/notifications" }, "notifications"), " and can be pushed to your devices."),
        parts));
    load();
    return "Notification settings";

    async function load() {
        try {
            const read = (path) => api.get(path, { signal });
            const [settings, key, targets, me] = await Promise.all([
                read("/v1/notifications/settings"), read("/v1/notifications/web-push"), read("/v1/me/push-targets"),
                read("/v1/me")]);
            const list = new PushTargets(targets.items, { signal });
            parts.replaceChildren(...[
                new DeviceSwitch(key, { signal, changed: () => list.load(), reload: load }).element,
                kindSettings(settings, { signal }), quietHours(settings, { signal }),
                // Nobody else could act.
                me.hasOthers && policySettings(settings, { signal }), list.element,
            ].filter(Boolean));
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            parts.replaceChildren(problemView(problem, load, { level: 2 }));
        }
    }
}
