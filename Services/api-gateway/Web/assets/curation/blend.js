import { showList } from "./playlist.js";

/** The page of a blend. */
export function show(view) {
    return showList(view, { kind: "blends", noun: "blend", back: "Blends" });
}
