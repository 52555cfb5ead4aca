import { api } from "../shell/api.js";
import { loaded } from "../shell/loading.js";
import { sourceName, sources } from "../ui/sources.js";
import { toast } from "../ui/toast.js";
import { searchAt, songAddress } from "./service-links.js";
import { playSong } from "./song.js";
import { songEditItems } from "./song-edits.js";

/**
 * The items of a song's menu (`song.js`): sending it to a friend first, then sharing it, its preview, its pages, what
 * changes libraries, and its pages at the services. `further` are the items of the page that lists it. Where the person
 * has the song is read first.
 */
export async function songMenu(song, further = []) {
    const known = await placesOf(song);
    return [
        sendItem(song), shareItem(song),
        song.preview && { label: "Play preview", picture: "play", action: () => playSong(song) },
        ...song.links,
        ...editItems(song, known),
        ...openings(song, known),
        ...further,
    ].filter(Boolean);
}

function shareItem(song) {
    if (song.shared) return { label: "Share", picture: "share", action: () => share(song) };
    return { label: "Share", picture: "share", reason: "Backline does not know enough about this song to share it." };
}

function sendItem(song) {
    const item = { label: "Send to friend", picture: "message" };
    if (song.shared) return { ...item, action: () => send(song) };
    return { ...item, reason: "Backline does not know enough about this song to send it." };
}

async function send(song) {
    try {
        const { sendSong } = await loaded(import("./send-sheet.js"));
        await sendSong(song);
    } catch {
        toast("Backline could not be reached. Try again.");
    }
}

/** Opens the sheet, which is loaded only now: most visits of a page share nothing. */
async function share(song) {
    try {
        const { shareSong } = await loaded(import("./share-sheet.js"));
        await shareSong(song);
    } catch {
        toast("Backline could not be reached. Try again.");
    }
}

/**
 * Where the person has a song: `details` of the library's track, `catalog` at a service, `openings` of a shared song.
 * `isRead` is false if that could not be read.
 */
async function placesOf(song) {
    try {
        const { trackId, catalog, openings = null } = song.find ? await song.find() : song;
        const details = trackId ? await api.get(`/v1/library/tracks/${trackId}`) : null;
        return { details, catalog, openings, isRead: true };
    } catch {
        return { details: null, catalog: song.catalog, openings: null, isRead: false };
    }
}

/** The items that save a song, or add it to a playlist. */
function editItems({ title, trackId }, { details, catalog, isRead }) {
    if (!isRead && trackId && !catalog) return [];
    const ref = catalog ? `${catalog.source}:${catalog.sourceId}` : details?.id;
    return songEditItems({ ref, title, services: services(details, catalog) });
}

/** The services that are known to have a song, and whether it is saved there. */
function services(details, catalog) {
    return Object.keys(sources).flatMap((source) => {
        const known = (details?.sourceTracks ?? []).filter((one) => one.source === source);
        if (known.length === 0 && catalog?.source !== source) return [];
        return [{ source, isSaved: known.some((one) => one.inLibrary && !one.missingSince) }];
    });
}

/** The items that open a song at the services: on its page there, or else with a search. */
function openings(song, { details, catalog, openings: shared, isRead }) {
    if (shared) return shared.map(({ source, url, isSearch }) => opening(source, url, isSearch));
    if (song.trackId && !isRead) {
        return [{
            label: "Open in a service", picture: "external", reason: "Backline could not read its links. Try again.",
        }];
    }
    return Object.keys(sources).map((source) => {
        const url = (details?.sourceTracks ?? []).filter((one) => one.source === source).map(songAddress).find(Boolean)
            ?? (catalog?.source === source ? catalog.url ?? songAddress(catalog) : null);
        return opening(source, url ?? searchAt(source, song), !url);
    });
}

function opening(source, href, isSearch) {
    return {
        label: isSearch ? `Search on ${sourceName(source)}` : `Open in ${sourceName(source)}`,
        picture: "external", href, external: true,
    };
}
