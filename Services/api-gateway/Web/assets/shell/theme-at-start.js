// A classic script, so that it runs before the page is painted; theme.js has the rest.
(() => {
    try {
        const chosen = localStorage.getItem("backline.theme");
        if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
    } catch {
        // Storage can be forbidden; the system's theme is then what there is.
    }
})();
