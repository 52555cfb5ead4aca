import { grouped, localTimes } from "../ui/formats.js";
import { sourceName } from "./sources.js";

/** The parts of a service's library, by the names that the API has for the phases of reading them. */
const phases = { tracks: "tracks", playlists: "playlists", entries: "songs of playlists", albums: "albums" };

/** "Syncing Apple Music: tracks, 1,200 of 3,400" */
export function progressText(sync) {
    if (sync.state === "queued") return "The sync begins as soon as the one before it has ended, or a worker is free.";
    const source = runningSource(sync);
    if (!source) return isRead(sync) ? "Syncing: comparing your services" : "Syncing …";
    const parts = [phases[source.phase] ?? source.phase, amount(source)].filter(Boolean);
    return [`Syncing ${sourceName(source.source)}`, parts.join(", ")].filter(Boolean).join(": ");
}

/** What a screen reader says of a running sync: which service is read. Numbers would interrupt too often. */
export function spokenProgress(sync) {
    const source = runningSource(sync);
    return source ? `Syncing ${sourceName(source.source)}.` : null;
}

/** The service that is read now. */
export function runningSource(sync) {
    return sync.sources.find(({ state }) => state === "running") ?? null;
}

/** "Synced just now" */
export function outcomeText(sync) {
    if (sync.state === "complete") return "Synced just now";
    const failed = failures(sync).map(({ source }) => sourceName(source));
    return failed.length > 0 ? `Not synced: ${failed.join(", ")}` : "The sync has not ended well";
}

/** The services whose error the person has not dismissed. */
export function failures(sync) {
    return (sync?.sources ?? []).filter(({ error }) => error);
}

/** The message of a service's error, with times in the reader's zone. */
export function failureText({ error }) {
    return localTimes(error.message);
}

/** Whether nothing is left to be read. */
function isRead({ sources }) {
    return sources.length > 0 && sources.every(({ state }) => state !== "queued" && state !== "waiting");
}

function amount({ found, total }) {
    if (!Number.isFinite(found)) return null;
    return total ? `${grouped(found)} of ${grouped(total)}` : grouped(found);
}
