import { ThreadView } from "./thread-view.js";

/** What the person and another one write to each other. */
export function show({ main, signal, parameters: { id } }) {
    const view = new ThreadView(id, { signal });
    main.replaceChildren(view.element);
    view.begin();
    return "Messages";
}
