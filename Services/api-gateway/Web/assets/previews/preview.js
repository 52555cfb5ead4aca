import { api } from "../shell/api.js";
import { playerBar } from "../ui/player-bar.js";

/**
 * Plays a preview of a song, or pauses it. `song` is `{ key, title, artist, picture }`, and `path` the API's path that
 * finds the preview: `/v1/library/tracks/{id}/preview` or `/v1/previews?title=&artist=`.
 */
export function playPreview(song, path) {
    playerBar.play(song, (signal) => api.get(path, { signal }));
}
