import { api } from "../shell/api.js";
import { detailView } from "../shell/detail-view.js";
import { navigate, replaceAddress } from "../shell/navigate.js";
import { poll } from "../shell/polling.js";
import { whenUsed } from "../shell/when-used.js";
import { personShares } from "../shares/person-shares.js";
import { element, hiddenText } from "../ui/dom.js";
import { counted } from "../ui/formats.js";
import { name, separated } from "../ui/list-row.js";
import { picture } from "../ui/picture.js";
import { emptyView, messageFor } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";
import { actButton } from "./act-button.js";
import { blockItem, moreButton } from "./block.js";
import { FollowButton } from "./follow-button.js";
import { addressOf, nameOf, pathOf } from "../ui/person-names.js";
import { peopleLinks, withoutPeople } from "./people-links.js";
import { followPeople } from "./person-events.js";

/** The profile of a person, as the reader may see it. */
export function show(view) {
    const { signal, parameters: { username } } = view;
    const links = peopleLinks();
    let [shown, shares, isBlocked] = [null, null, false];
    const { title, load } = detailView(view, {
        title: username, path: pathOf({ username }), back: links,
        content: (person) => {
            // A former username, or one that is written differently.
            if (person.username !== username) replaceAddress(addressOf(person), { keepsScrollPosition: true });
            shown = new Profile(person, { signal, changed: refresh, gone: leave, blocked: () => showBlocked(person) });
            shares = personShares(person, { signal });
            shares.show(shown.isWhole);
            if (person.isSelf) hideIfAlone(shown);
            return [...shown.elements, shares.element];
        },
        missing: {
            picture: "people", title: "There is nobody here",
            text: "The address may be mistyped, or you may not see this profile.",
            actions: [element("a", { class: "button primary", href: "/people" }, "Find people")],
        },
    });
    // What was not found when the page opened does not have to be looked for again when the stream opens.
    followPeople({ signal, outdated: ({ isOpening }) => (shown || !isOpening) && refresh() });
    // Only followers are notified of what a person shows, such as that the profile has closed or opened.
    poll(() => shown?.isFollowed || refresh(), { signal });
    return title;

    async function hideIfAlone(profile) {
        // The page works without it.
        const me = await api.get("/v1/me", { signal }).catch(() => null);
        if (me?.hasOthers !== false) return;
        withoutPeople(links);
        profile.hideFollowers();
    }

    async function refresh() {
        const isMissing = !shown && view.main.querySelector(".notice-view") !== null;
        if (isBlocked || !shown && !isMissing) return;
        try {
            const person = await api.get(pathOf({ username }), { signal });
            if (isBlocked) return;
            if (!shown) return load();
            const wasWhole = shown.isWhole;
            shown.show(person);
            if (shown.isWhole !== wasWhole) shares.show(shown.isWhole);
        } catch (problem) {
            // Nobody is here any longer, or for this reader.
            if (problem.status !== 404 || !shown) return;
            shown = null;
            await load();
        }
    }

    /** The reader wanted to do something with the person, who is no longer here. The button goes with the profile. */
    async function leave() {
        await refresh();
        if (signal.aborted || shown) return;
        const heading = view.main.querySelector("h1");
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
    }

    function showBlocked(person) {
        [shown, isBlocked] = [null, true];
        const heading = element("h1", { tabindex: "-1" }, name(nameOf(person)));
        const unblock = actButton({
            text: "Unblock", hidden: ` ${nameOf(person)}`, act: async () => {
                await api.delete(pathOf(person, "/block"));
                heading.focus({ preventScroll: true });
                isBlocked = false;
                await load();
                return `${nameOf(person)} is no longer blocked. You do not follow each other.`;
            },
        });
        links.parentElement.replaceChildren(links, heading, emptyView({
            picture: "people", title: "You have blocked them", text: "You can no longer see each other.",
            actions: [unblock.element, element("a", { class: "button", href: "/people/blocked" }, "Blocked people")],
        }));
        heading.focus({ preventScroll: true });
    }
}

/** The elements of a profile, which keep the focus while what they show changes. */
class Profile {
    elements;
    #options;
    #person;
    #face = element("span", { class: "person-face" });
    #heading = element("h1", {});
    #text = element("p", { class: "secondary" });
    #counts = element("p", { class: "person-counts" });
    #bio = element("p", { class: "person-bio" });
    #notice = element("p", { class: "secondary", role: "status" });
    #follow;
    #message = element("button", { class: "button small", type: "button", onclick: () => this.#write() });
    #stats = element("a", { class: "button small" }, "Stats");
    #more;
    #own = [
        element("a", { class: "button small", href: "/profile/edit" }, "Edit profile"),
        element("a", { class: "button small", href: "/people/followers" }, "Your followers"),
    ];

    constructor(person, options) {
        this.#options = options;
        this.#follow = new FollowButton(person, { changed: (changed) => {
            this.show(changed);
            // Their followers are one more or one fewer, and a profile for followers shows more or less.
            options.changed();
        }, gone: options.gone });
        this.#more = moreButton(person, () => this.#menuItems());
        const words = element("div", { class: "person-words" }, this.#heading, this.#text, this.#counts);
        this.elements = [
            element("div", { class: "person-head" }, this.#face, words), this.#bio,
            element("div", { class: "detail-buttons" },
                this.#follow.element, this.#message, this.#stats, this.#more, this.#own),
            this.#notice,
        ];
        this.show(person);
    }

    get isFollowed() {
        return this.#person.follow === "following";
    }

    /** Whether the reader sees more than name and picture. */
    get isWhole() {
        return Boolean(this.#person.counts);
    }

    show(person) {
        this.#person = person;
        const { username, displayName, followsMe, asksSince, writing, counts, bio, showsStats, isSelf } = person;
        this.#face.replaceChildren(picture(person.picture, nameOf(person), { size: 128 }));
        this.#heading.replaceChildren(name(nameOf(person)));
        this.#text.replaceChildren(...separated(
            [displayName && name(`@${username}`), isSelf && "This is you", followsMe && "Follows you",
                asksSince && "Asks to follow you"]));
        this.#text.hidden = this.#text.textContent === "";
        this.#counts.textContent = counts ? countsText(counts) : "";
        this.#counts.hidden = !counts;
        this.#bio.replaceChildren(...(bio ? [name(bio)] : []));
        this.#bio.hidden = !bio;
        this.#follow.show(person);
        this.#message.replaceChildren(...writing === "request"
            ? ["Ask to write", hiddenText(` to ${nameOf(person)}`)] : ["Message", hiddenText(` ${nameOf(person)}`)]);
        this.#hideMessage(!writing || writing === "refused");
        this.#stats.href = isSelf ? "/listening/stats" : `${addressOf(person)}/stats`;
        this.#stats.hidden = !showsStats;
        this.#more.hidden = isSelf;
        for (const link of this.#own) link.hidden = !isSelf;
        const text = notice(person);
        if (this.#notice.textContent !== text) this.#notice.textContent = text;
        this.#notice.hidden = text === "";
    }

    #hideMessage(isHidden) {
        const hadFocus = document.activeElement === this.#message;
        this.#message.hidden = isHidden;
        if (!hadFocus || !isHidden) return;
        this.#heading.tabIndex = -1;
        this.#heading.focus({ preventScroll: true });
    }

    hideFollowers() {
        this.#own.pop().remove();
    }

    /** Opens the thread of the two, which is made if there is none, and says what can be written in it. */
    async #write() {
        if (this.#message.ariaDisabled === "true") return;
        this.#message.ariaDisabled = "true";
        try {
            const thread = await api.put(pathOf(this.#person, "/thread"));
            if (!this.#options.signal.aborted) await navigate(`/threads/${thread.id}`);
        } catch (problem) {
            if (!this.#options.signal.aborted && problem.status !== 401) toast(messageFor(problem));
        } finally {
            this.#message.ariaDisabled = "false";
        }
    }

    #report() {
        const { signal } = this.#options;
        return whenUsed(import("./report-sheet.js"), ({ report }) =>
            signal.aborted ? null : report(this.#person, { signal }));
    }

    #menuItems() {
        const { signal, blocked, gone } = this.#options;
        return [
            blockItem(this.#person, { signal, blocked, gone }),
            { label: "Report", picture: "alert", action: () => this.#report() },
        ];
    }
}

function countsText({ followers, following }) {
    return `${counted(followers, "follower")} · Follows ${counted(following, "person", "people")}`;
}

/** What the reader should know about what they see. */
function notice({ isSelf, profileVisibility, follow, ...person }) {
    if (isSelf) {
        return {
            public: "Everyone here sees this page as you do.",
            followers: "Only your followers see this page as you do. Others see your name and picture, and can ask to "
                + "follow you.",
        }[profileVisibility] ?? "Nobody else sees this page.";
    }
    if (profileVisibility !== "followers" || follow === "following") return "";
    return follow === "requested"
        ? `You asked to follow ${nameOf(person)}. They have to accept first.`
        : `Only followers see the whole profile. ${nameOf(person)} has to accept before you follow them.`;
}
