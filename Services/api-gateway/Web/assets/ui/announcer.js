const region = document.getElementById("announcer");
let pending = 0;

/** Makes a screen reader say a sentence after it has finished the current one. */
export function announce(sentence) {
    // The region is emptied first: the same sentence twice would be no change, and would not be said again.
    region.textContent = "";
    cancelAnimationFrame(pending);
    pending = requestAnimationFrame(() => {
        region.textContent = sentence;
    });
}
