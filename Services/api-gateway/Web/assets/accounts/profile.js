import { api } from "../shell/api.js";
import { audiences } from "./audiences.js";
import { element } from "../ui/dom.js";
import { fact } from "../ui/fact.js";
import { bytes, decimal, longDate } from "../ui/formats.js";
import { peoplePart } from "./people-part.js";
import { picture } from "../ui/picture.js";
import { messageFor, problemView } from "../ui/problem-view.js";
import { navigate } from "../shell/navigate.js";
import { session } from "../shell/session.js";
import { chooseTheme, currentTheme } from "../shell/theme.js";
import { usernameQuestion } from "./username-question.js";

const themeNames = { system: "Same as the system", light: "Light", dark: "Dark" };

export function show({ main, signal }) {
    const { user } = session;
    const problem = element("p", { class: "field-error", role: "alert" });
    const face = element("div", {}, picture(null, user.name));
    const name = element("p", { class: "person-name" }, user.name);
    const details = element("div", { class: "profile-details" }, element("p", { class: "secondary" }, "Loading …"));
    main.replaceChildren(
        element("h1", {}, "Profile"),
        element("section", { class: "card person", "aria-label": "Signed in" },
            face,
            element("div", {},
                name,
                element("p", { class: "secondary" }, user.isAdmin ? "Administrator of this Backline" : "Signed in")),
            element("button", {
                class: "button", type: "button", onclick: (event) => signOut(event, problem),
            }, "Sign out"),
            element("p", { class: "secondary sign-out-note" }, "Signing out ends your session in this browser. Your"
                + " keys and connections stay, encrypted, and Backline keeps running your jobs. To end a connection,"
                + " disconnect it under ", element("a", { href: "/setup" }, "Setup"), "."),
            problem),
        element("div", { class: "profile-ways" },
            element("a", { class: "button primary", href: "/profile/edit" }, "Edit profile"),
            element("a", { class: "button", href: "/shares" }, "Your shares"),
            element("a", { class: "button", href: "/listening/stats" }, "Stats"),
            element("a", { class: "button", href: "/setup" }, "Connections"),
            element("a", { class: "button", href: "/profile/settings" }, "Settings"),
            element("a", { class: "button", href: "/welcome" }, "Introduction")),
        element("fieldset", { class: "card options" },
            element("legend", {}, "Appearance"),
            Object.entries(themeNames).map(([theme, label]) =>
                element("label", { class: "option" },
                    element("input", {
                        type: "radio", name: "theme", value: theme, checked: theme === currentTheme(),
                        onchange: () => chooseTheme(theme),
                    }),
                    label))),
        // Last, so that content that arrives later does not move what a person is about to press.
        details);
    load();
    return "Profile";

    async function load() {
        try {
            const me = await api.get("/v1/me", { signal });
            name.textContent = me.displayName ?? me.username;
            face.replaceChildren(picture(me.picture, name.textContent));
            details.replaceChildren(...[
                me.mustChooseUsername && usernameQuestion(me, { signal, answered: renamed }),
                me.hasOthers && peoplePart(me, { signal }), profileFacts(me), quotaFacts(me.quotas),
            ].filter(Boolean));
        } catch (error) {
            if (signal.aborted || error.status === 401) return;
            details.replaceChildren(problemView(error, load, { level: 2 }));
        }
    }

    async function renamed() {
        main.querySelector("h1").tabIndex = -1;
        main.querySelector("h1").focus();
        await load();
    }
}

function profileFacts(me) {
    return element("dl", { class: "card facts" },
        me.displayName && fact("Username", me.username),
        me.bio && fact("About you", me.bio),
        me.homeCity && fact("Home city", me.homeCity),
        me.email && fact("Email", me.email),
        me.hasOthers && fact("Visible to", audiences[me.profileVisibility] ?? me.profileVisibility),
        fact("Joined", longDate(me.createdAt)));
}

/** How much of each quota the person uses, right now or today. */
function quotaFacts({
    unfinishedJobs, unfinishedBytes, runningSearches, eventStreams, ticketmasterRequests, listens, listenBytes,
}) {
    return element("section", { class: "card usage", "aria-label": "Your usage" },
        element("h2", {}, "Your usage"),
        element("dl", { class: "facts" },
            fact("Unfinished jobs", use(unfinishedJobs, decimal)),
            fact("Size of their payloads", use(unfinishedBytes, bytes)),
            fact("Running searches", use(runningSearches, decimal)),
            fact("Open event streams", use(eventStreams, decimal)),
            fact("Requests to Ticketmaster today", use(ticketmasterRequests, decimal)),
            fact("Listens, by source", use(listens, decimal)),
            fact("Size of listen details", use(listenBytes, bytes))));
}

/** "3 of 10"; without a limit "3". */
function use({ used, limit }, format) {
    return limit === null ? format(used) : `${format(used)} of ${format(limit)}`;
}

async function signOut(event, problem) {
    const button = event.currentTarget;
    button.disabled = true;
    problem.textContent = "";
    try {
        await session.signOut();
        await navigate("/sign-in");
    } catch (error) {
        problem.textContent = messageFor(error);
        button.disabled = false;
    }
}
