import { api } from "../shell/api.js";
import { stepOfSource } from "../ui/sources.js";

/** The scope that a person has to grant so that Spotify shows what they listen to most. */
export const topScope = "user-top-read";

/**
 * Checks that Spotify can be asked for the person. If it is not connected, or the person has not granted `scope`,
 * throws the problem with which the API would refuse the request. Browsers report every refused request as an error of
 * the page, so a page does not send those that it can know to be refused.
 */
export async function requireSpotify({ signal, scope = null } = {}) {
    const { state, recovery, scopes } = stepOfSource(await api.get("/v1/setup", { signal }), "spotify");
    const hasEnded = state === "needsAttention" && recovery === "reconnect";
    if (state === "incomplete" || hasEnded) throw refusal("spotifyNotConnected", "Spotify is not connected.");
    if (scope && !scopes?.includes(scope)) throw refusal("scopeMissing", "Spotify needs your permission for this.");
}

/** An error like a `Problem` of the API. */
function refusal(code, sentence) {
    return Object.assign(new Error(sentence), { name: "Problem", status: 409, code });
}
