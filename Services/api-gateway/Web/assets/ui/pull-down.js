import { element } from "./dom.js";
import { icon } from "./icons.js";

/** How far the page has to be pulled before releasing it takes effect, and how far its mark moves, in pixels. */
const enough = 72;
const farthest = 96;

/** Calls `release` when a finger pulls the page down from its top, and lets it go. */
export function onPullDown(release, { signal }) {
    const mark = element("div", { class: "pull-mark", "aria-hidden": "true", hidden: true }, icon("refresh"));
    document.getElementById("main").append(mark);
    let start = null;
    let way = 0;
    const root = document.documentElement;
    // The browser's own gesture would reload the page.
    root.classList.add("pulls-down");
    signal.addEventListener("abort", () => root.classList.remove("pulls-down"));
    document.addEventListener("touchstart", ({ touches }) => {
        start = touches.length === 1 && scrollY <= 0 && !document.querySelector("dialog[open]")
            ? { x: touches[0].clientX, y: touches[0].clientY } : null;
        way = 0;
    }, { signal, passive: true });
    document.addEventListener("touchmove", ({ touches }) => {
        if (!start) return;
        way = touches[0].clientY - start.y;
        // A finger that moves aside or up does something else.
        if (way < 0 || Math.abs(touches[0].clientX - start.x) > Math.max(way, 10)) start = null;
        show(start ? Math.min(way, farthest) : 0);
    }, { signal, passive: true });
    for (const event of ["touchend", "touchcancel"]) {
        document.addEventListener(event, () => {
            const isMeant = start && event === "touchend" && way >= enough;
            start = null;
            show(0);
            if (isMeant) release();
        }, { signal });
    }

    function show(distance) {
        mark.hidden = distance === 0;
        mark.classList.toggle("far", distance >= enough);
        mark.style.transform = `translate(-50%, ${distance}px) rotate(${3 * distance}deg)`;
    }
}
