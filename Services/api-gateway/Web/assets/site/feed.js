import { newcomerCards } from "../accounts/newcomer.js";
import { setupCard } from "../connections/setup-card.js";
import { FeedView } from "../feed/feed-view.js";
import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { featureCard } from "../ui/feature-card.js";
import { quickActions } from "./quick-actions.js";

/** What the person has to do first, what they can do, and their feed. */
export function show({ main, signal, scrollPosition }) {
    const heading = element("h1", {}, "Feed");
    const setup = setupCard({ signal });
    main.replaceChildren(element("div", { class: "headline" }, heading,
        element("p", { class: "feed-links" },
            element("a", { class: "feed-choices", href: "/threads" }, "Messages"),
            element("a", { class: "feed-choices", href: "/feed/hidden" }, "Hidden items"))));
    load();
    return "Feed";

    async function load() {
        // The page works without it. The rest is shown afterwards, so that it does not move.
        const me = await api.get("/v1/me", { signal }).catch(() => null);
        if (signal.aborted) return;
        const hasOthers = Boolean(me?.hasOthers);
        const feed = new FeedView({ signal, hasOthers, scrollPosition });
        main.append(
            element("div", { class: "newcomers" }, me && newcomerCards(me, { signal, ended: focusHeading })),
            setup,
            element("ul", { class: "cards" },
                element("li", {}, featureCard({
                    href: "/explore/concerts", picture: "ticket", title: "Discover concerts",
                    text: "Rank up to twenty artists and see where they play, your favorites first.",
                }))),
            quickActions({ hasOthers, signal }),
            feed.element);
        if (scrollPosition) focusHeading();
    }

    function focusHeading() {
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
    }
}
