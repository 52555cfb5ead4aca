import { api } from "../shell/api.js";
import { playPreview } from "../shell/preview.js";
import { sourceName } from "../ui/sources.js";
import { songAddress } from "./service-links.js";
import { artistAddress } from "./song-parts.js";

/** Why a song cannot be written to a service yet. */
const later = "Backline cannot change your libraries yet.";

/** Plays a preview of a song of the library, or pauses it. */
export function playTrack({ id, title, artist, picture }) {
    playPreview({ key: id, title, artist, picture }, `/v1/library/tracks/${id}/preview`);
}

/** The items of a song's menu. Its services tell the addresses at which they show it. */
export async function trackMenu(track) {
    const details = await api.get(`/v1/library/tracks/${track.id}`).catch(() => null);
    return [
        { label: "Play preview", picture: "play", action: () => playTrack(track) },
        { label: "Show the song", picture: "music", href: `/library/tracks/${track.id}` },
        track.artist && { label: `Show ${track.artist}`, picture: "profile", href: artistAddress(track.artist) },
        { label: "Add to playlist", picture: "plus", reason: later },
        { label: track.inLibrary && !track.missingSince ? "Remove from library" : "Save to library", picture: "library",
            reason: later },
        ...serviceItems(track, details),
    ];
}

function serviceItems(track, details) {
    return track.sources.map((source) => {
        const label = `Open in ${sourceName(source)}`;
        const href = (details?.sourceTracks ?? []).filter((one) => one.source === source)
            .map(songAddress).find(Boolean);
        if (href) return { label, picture: "external", href, external: true };
        return { label, picture: "external", reason: details ? `${sourceName(source)} tells no address of it.`
            : "Its address could not be read. Try again." };
    });
}
