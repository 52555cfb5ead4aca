/** How often what no event reports is read again while the page is visible, in milliseconds. */
const interval = 60_000;

/**
 * Calls `read` again and again, for what no event reports: every minute while the page is visible, and when the person
 * returns to the window.
 */
export function poll(read, { signal }) {
    addEventListener("focus", () => read(), { signal });
    const timer = setInterval(() => document.hidden || read(), interval);
    signal.addEventListener("abort", () => clearInterval(timer));
}
