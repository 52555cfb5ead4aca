import { api } from "../shell/api.js";
import { confirmed } from "../ui/confirmation.js";
import { counted, namesList } from "../ui/formats.js";

let isAsking = false;

/**
 * Asks twice whether a music service is disconnected, and says before how much of the library goes with it. Resolves to
 * whether the person confirmed both times. Throws a `Problem` when the counts cannot be read: nobody is asked then.
 */
export async function disconnectionConfirmed(service) {
    // A second click, while the counts are read.
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
        .map((noun) => counted(counts[`${noun}s`], noun));
    const goes = parts.length > 0 ? namesList(parts) : null;
    const first = await confirmed({
        title: `Disconnect ${name}?`, action: "Continue",
        text: `Backline deletes its access to your account at once.${goes
            ? ` It also deletes what only ${name} has in your library: ${goes}.` : ""} ${withdrawal}`,
    });
    if (!first || signal.aborted) return false;
    return await confirmed({
        title: goes ? `Delete ${goes}?` : `Really disconnect ${name}?`,
        text: goes ? `Backline cannot bring them back, unless you connect ${name} again. Your library at ${name} itself`
            + " stays as it is." : `Your library at ${name} itself stays as it is.`,
        action: goes ? "Disconnect and delete" : "Disconnect",
    }) && !signal.aborted;
}
