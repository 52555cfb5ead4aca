import { preference, remember } from "./preferences.js";

/** `system` follows the operating system's setting; the others override it. */
const themes = ["system", "light", "dark"];

export function currentTheme() {
    const theme = preference("theme", "system");
    return themes.includes(theme) ? theme : "system";
}

export function chooseTheme(theme) {
    if (theme === "system") {
        remember("theme", null);
        delete document.documentElement.dataset.theme;
    } else {
        remember("theme", theme);
        document.documentElement.dataset.theme = theme;
    }
}

/** Applies a theme that was chosen in another tab. */
export function followTheme() {
    addEventListener("storage", (event) => {
        if (event.key === "backline.theme") chooseTheme(currentTheme());
    });
}
