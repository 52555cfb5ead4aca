import { api } from "../shell/api.js";
import { confirmed } from "../ui/confirmation.js";
import { counted, namesList } from "../ui/formats.js";

let isAsking = false;

/**
 * Asks twice whether to disconnect a music service, and shows how much of the library is deleted with it. Resolves to
 * whether the person confirmed both times. Throws a `Problem` without asking if the counts cannot be read.
 */
export async function disconnectionConfirmed(service) {
    // A second click while the counts are being read.
    if (isAsking) return false;
    isAsking = true;
    try {
        return await ask(service);
    } finally {
        isAsking = false;
    }
}

async function ask({ source, name, withdrawal, signal }) {
    const counts = await api.get(`/v1/library/sources/${source}/removal`, { signal });
    const parts = ["track", "playlist", "album"].filter((noun) => counts[`${noun}s`] > 0)
        .map((noun) => counted(counts[`${noun}s`], noun === "track" ? "song" : noun));
    const goes = parts.length > 0 ? namesList(parts) : null;
    const first = await confirmed({
        title: `Disconnect ${name}?`, action: "Continue",
        text: `Backline deletes its access to your account immediately.${goes
            ? ` It also deletes what only ${name} has in your library: ${goes}.` : ""} ${withdrawal}`,
    });
    if (!first || signal.aborted) return false;
    return await confirmed({
        title: goes ? `Delete ${goes}?` : `Really disconnect ${name}?`,
        text: goes ? `Backline cannot restore them unless you connect ${name} again. Your library on ${name} itself`
            + " does not change." : `Your library on ${name} itself does not change.`,
        action: goes ? "Disconnect and delete" : "Disconnect",
    }) && !signal.aborted;
}
