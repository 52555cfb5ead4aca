import { api } from "./api.js";
import { EventStream } from "./event-stream.js";
import { followPerson } from "./session.js";

/** Acknowledges the notifications that arrive about the page which the person is looking at. */
export function acknowledgeShown() {
    followPerson(({ signal }) => {
        const stream = new EventStream({ signal });
        stream.addEventListener("notification", ({ detail }) => {
            if (!document.hidden && new URL(detail.path, location.origin).pathname === location.pathname) {
                acknowledge([detail]);
            }
        }, { signal });
    });
}

/** Reports that the person sees these notifications, at most 100 of them, so that they are not pushed. */
export async function acknowledge(items) {
    const body = { seq: Math.max(...items.map(({ number }) => number)), ids: items.map(({ id }) => id) };
    // One that is not acknowledged is pushed.
    await api.post("/v1/notifications/seen", body).catch(() => {});
}
