import { clockTime, grouped, localTimes } from "../ui/formats.js";
import { sourceName } from "../ui/sources.js";

/** The parts of a service's library, by the API's names for the phases of reading them. */
const phases = { tracks: "songs", playlists: "playlists", entries: "songs of playlists", albums: "albums" };

/** The code of the error for an account that was read but has no library. */
export const noCloudLibrary = "noCloudLibrary";

/** What the banner says about an unfinished sync as a whole. */
export function progressText(sync) {
    if (sync.state === "queued") return "The sync starts when the previous one has ended or a worker is free.";
    return isRead(sync) && !runningSource(sync) ? "Syncing: comparing your services" : "Syncing …";
}

/** "songs, 1,200 of 3,400": the progress of reading a service. */
export function sourceProgressText({ state, phase, found, total, error }) {
    if (error?.code === noCloudLibrary) return "nothing to read";
    if (error) return "not synced";
    if (state === "complete") return "synced";
    if (state === "skipped") return "up to date";
    if (state !== "running") return "waiting";
    return [phases[phase] ?? phase, amount({ found, total })].filter(Boolean).join(", ");
}

/** What a screen reader says about a running sync: which service is read. Numbers would interrupt too often. */
export function spokenProgress(sync) {
    const source = runningSource(sync);
    return source ? `Syncing ${sourceName(source.source)}.` : null;
}

/** "Synced at 14:05. 12 songs were merged into others" */
export function outcomeText(sync) {
    if (sync.state === "complete") {
        return [`Synced at ${clockTime(sync.finishedAt ?? new Date())}`, mergedText(sync)].filter(Boolean).join(". ");
    }
    const failed = failures(sync).filter(({ error }) => error.code !== noCloudLibrary)
        .map(({ source }) => sourceName(source));
    return failed.length > 0 ? `Not synced: ${failed.join(", ")}` : "The sync failed";
}

function mergedText({ merged }) {
    if (!merged) return null;
    return merged === 1 ? "1 song was merged into another" : `${grouped(merged)} songs were merged into others`;
}

/** The services whose error the person has not dismissed. */
export function failures(sync) {
    return (sync?.sources ?? []).filter(({ error }) => error);
}

/** The message of a service's error, with times in the reader's zone. */
export function failureText({ error }) {
    return localTimes(error.message);
}

/** The service that is read now. */
function runningSource(sync) {
    return sync.sources.find(({ state }) => state === "running") ?? null;
}

/** Whether nothing is left to be read. */
function isRead({ sources }) {
    return sources.length > 0 && sources.every(({ state }) => state !== "queued" && state !== "waiting");
}

function amount({ found, total }) {
    if (!Number.isFinite(found)) return null;
    return total ? `${grouped(found)} of ${grouped(total)}` : grouped(found);
}
