const region = document.getElementById("announcer");
let pending = 0;

/** Has a screen reader say a sentence when it has finished the one before. */
export function announce(sentence) {
    // Emptied first: the same sentence twice would be no change, and not be said again.
    region.textContent = "";
    cancelAnimationFrame(pending);
    pending = requestAnimationFrame(() => {
        region.textContent = sentence;
    });
}
