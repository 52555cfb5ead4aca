import { element } from "../dom.js";
import { initials } from "../initials.js";
import { wordsFor } from "../problem-view.js";
import { navigate } from "../router.js";
import { session } from "../session.js";
import { chooseTheme, currentTheme } from "../theme.js";

const themeNames = { system: "As the system", light: "Light", dark: "Dark" };

export function show({ main }) {
    const { user } = session;
    const problem = element("p", { class: "field-error", role: "alert" });
    main.replaceChildren(
        element("h1", {}, "Profile"),
        element("section", { class: "card person", "aria-label": "Signed in" },
            element("span", { class: "picture", "aria-hidden": "true" }, initials(user.name)),
            element("div", {},
                element("p", { class: "person-name" }, user.name),
                element("p", { class: "secondary" }, user.isAdmin ? "Administrator of this Backline" : "Signed in")),
            element("button", {
                class: "button", type: "button", onclick: (event) => signOut(event, problem),
            }, "Sign out"),
            problem),
        element("fieldset", { class: "card choices" },
            element("legend", {}, "Appearance"),
            Object.entries(themeNames).map(([theme, name]) =>
                element("label", { class: "choice" },
                    element("input", {
                        type: "radio", name: "theme", value: theme, checked: theme === currentTheme(),
                        onchange: () => chooseTheme(theme),
                    }),
                    name))),
        element("section", { class: "quiet", "aria-labelledby": "profile-later" },
            element("h2", { id: "profile-later" }, "What will be here"),
            element("p", {}, "Connections to Spotify and Apple Music. That part of Backline is not built yet.")));
    return "Profile";
}

async function signOut(event, problem) {
    const button = event.currentTarget;
    button.disabled = true;
    problem.textContent = "";
    try {
        await session.signOut();
        await navigate("/sign-in");
    } catch (error) {
        problem.textContent = wordsFor(error);
        button.disabled = false;
    }
}
