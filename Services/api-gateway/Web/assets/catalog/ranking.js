import { api } from "../shell/api.js";
import { messageFor } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";

/** Adds an artist of a service to the end of the ranked list, and says so. Returns whether the list has it now. */
export async function rankArtist(artist) {
    const { source, name, sourceId, picture, genres } = artist;
    try {
        // A ranked list keeps the ids of Spotify alone, and what belongs to them.
        const added = await api.post("/v1/artists",
            source === "spotify" ? { name, spotifyId: sourceId, picture, genres } : { name });
        artist.isRanked = true;
        toast(`${name} is your number ${added.rank} now.`, { undo: async () => {
            await api.delete(`/v1/artists/${added.id}`);
            artist.isRanked = false;
        } });
        return true;
    } catch (problem) {
        if (problem.status !== 401) toast(`${name} was not added. ${messageFor(problem)}`);
        return problem.code === "duplicateArtist";
    }
}
