import { api } from "../shell/api.js";
import { playPreview } from "../shell/preview.js";
import { songEditItems } from "../shell/song-edits.js";
import { sourceName, sources } from "../ui/sources.js";
import { songAddress } from "./service-links.js";
import { artistAddress } from "./song-parts.js";

/** Plays a preview of a song of the library, or pauses it. */
export function playTrack({ id, title, artist, picture }) {
    playPreview({ key: id, title, artist, picture }, `/v1/library/tracks/${id}/preview`);
}

/** The items of a song's menu. Reads the song's details first, which have the addresses of its pages. */
export async function trackMenu(track) {
    const details = await api.get(`/v1/library/tracks/${track.id}`).catch(() => null);
    return [
        { label: "Play preview", picture: "play", action: () => playTrack(track) },
        { label: "Show the song", picture: "music", href: `/library/tracks/${track.id}` },
        track.artist && { label: `Show ${track.artist}`, picture: "profile", href: artistAddress(track.artist) },
        ...(details ? songEditItems({ ref: details.id, title: track.title, services: services(details) }) : []),
        ...serviceItems(track, details),
    ];
}

/** The services that are known to have a song, and whether it is saved there. */
function services({ sourceTracks }) {
    return Object.keys(sources).flatMap((source) => {
        const known = sourceTracks.filter((one) => one.source === source);
        if (known.length === 0) return [];
        return [{ source, isSaved: known.some((one) => one.inLibrary && !one.missingSince) }];
    });
}

function serviceItems(track, details) {
    return track.sources.filter((source) => source !== "file").map((source) => {
        const label = `Open in ${sourceName(source)}`;
        const href = (details?.sourceTracks ?? []).filter((one) => one.source === source)
            .map(songAddress).find(Boolean);
        if (href) return { label, picture: "external", href, external: true };
        return { label, picture: "external", reason: details ? `${sourceName(source)} has no link to it.`
            : "Backline could not read its link. Try again." };
    });
}
