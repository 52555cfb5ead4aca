import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { messageFor } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";

const cards = [
    {
        picture: "music", title: "All your music in one library",
        text: "Backline reads your libraries at Spotify and Apple Music into one, keeps it current, and records what "
            + "you listen to. It all stays on this server.",
        href: "/setup", link: "Connect your services",
    },
    {
        picture: "ticket", title: "Concerts by your artists",
        text: "Rank the artists you love, and see where they play. Concerts in your home city are marked.",
        href: "/explore/concerts", link: "Rank your artists",
    },
    {
        picture: "spark", title: "Playlists for what you have in mind",
        text: "Describe a mood, and get real songs, each with a reason. Backline also recommends songs every day.",
        href: "/explore/playlists", link: "Make a playlist",
    },
    {
        picture: "people", title: "People you know",
        text: "Follow other people here, and mix your music with theirs in a blend.",
        href: "/people", link: "Find people", isForOthers: true,
    },
    {
        picture: "profile", title: "You decide who sees you",
        text: "Your profile is visible to everyone here, to your followers only, or to nobody. You can also hide what "
            + "you listen to.",
        href: "/profile/edit", link: "Edit your profile", isForOthers: true,
    },
];

/**
 * What Backline can do, card by card. `me` is the answer of `/v1/me`. Once the person has seen or skipped the cards,
 * they are not shown after a sign-in again, and `ended()` is called.
 */
export function onboarding(me, { ended }) {
    const shown = cards.filter(({ isForOthers }) => !isForOthers || me.hasOthers);
    let index = 0;
    const content = element("div", { class: "onboarding-card" });
    const back = element("button", { class: "button", type: "button", onclick: () => move(-1) }, "Back");
    const next = element("button", { class: "button primary", type: "button", onclick: () => move(1) });
    const skip = element("button", { class: "button plain", type: "button", onclick: end }, "Skip the introduction");
    const section = element("section", { class: "card newcomer", "aria-label": "Introduction" },
        content, element("div", { class: "actions" }, back, next, skip));
    show();
    return section;

    function show() {
        const { picture, title, text, href, link } = shown[index];
        const isLast = index === shown.length - 1;
        content.replaceChildren(
            element("span", { class: "feature-picture" }, icon(picture)),
            element("div", { class: "onboarding-words" },
                element("p", { class: "secondary" }, `${index + 1} of ${shown.length}`),
                element("h2", { tabindex: "-1" }, title),
                element("p", {}, text),
                element("p", {}, element("a", { href }, link))));
        back.hidden = index === 0;
        skip.hidden = isLast;
        next.textContent = isLast ? "Done" : "Next";
    }

    function move(step) {
        if (index + step === shown.length) return end();
        index += step;
        show();
        // A screen reader then reads the card's title.
        content.querySelector("h2").focus();
    }

    async function end() {
        try {
            if (me.onboarding) await api.patch("/v1/me", { onboarding: false });
            section.remove();
            ended();
        } catch (problem) {
            if (problem.status !== 401) toast(messageFor(problem));
        }
    }
}
