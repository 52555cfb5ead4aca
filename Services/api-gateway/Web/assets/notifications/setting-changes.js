import { api } from "../shell/api.js";
import { announce } from "../ui/announcer.js";

/** The changes of settings are sent one after another, so that a later one is never overtaken by an earlier one. */
let last = Promise.resolve();

/** Changes members of the notification settings, which it resolves to. Throws a `Problem`. */
export function changeSettings(change, { signal }) {
    const sent = last.then(() => api.put("/v1/notifications/settings", change, { signal }));
    last = sent.catch(() => {});
    return sent.then((settings) => {
        announce("Saved.");
        return settings;
    });
}
