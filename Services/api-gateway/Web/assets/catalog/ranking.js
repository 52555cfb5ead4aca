import { api } from "../shell/api.js";
import { messageFor } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";

/** Adds a service's artist to the end of the ranked list, with a toast. Returns whether the list has the artist now. */
export async function rankArtist(artist) {
    const { source, name, sourceId, picture, genres } = artist;
    try {
        // A ranked list stores only Spotify ids, with the picture and the genres that belong to them.
        const added = await api.post("/v1/artists",
            source === "spotify" ? { name, spotifyId: sourceId, picture, genres } : { name });
        artist.isRanked = true;
        toast(`${name} is now your number ${added.rank}.`, { undo: async () => {
            await api.delete(`/v1/artists/${added.id}`);
            artist.isRanked = false;
        } });
        return true;
    } catch (problem) {
        if (problem.status !== 401) toast(`${name} was not added. ${messageFor(problem)}`);
        return problem.code === "duplicateArtist";
    }
}
