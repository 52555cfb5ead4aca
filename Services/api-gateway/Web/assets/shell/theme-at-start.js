// A classic script: it runs before the first paint, so that a chosen theme does not flash. See theme.js.
(() => {
    try {
        const chosen = localStorage.getItem("backline.theme");
        if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
    } catch {
        // If storage is forbidden, the system's theme applies.
    }
})();
