import { connection } from "../shell/connection.js";
import { saveScrollPosition } from "../shell/navigate.js";
import { ReadMark } from "../shell/read-mark.js";
import { announce } from "../ui/announcer.js";
import { element, hiddenText } from "../ui/dom.js";
import { counted } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { emptyView, messageFor, problemView } from "../ui/problem-view.js";
import { cardOf } from "./cards.js";
import { FeedItems } from "./feed-items.js";
import { feedMarks } from "./feed-marks.js";
import { isRefreshing, missingSources, refreshProgress } from "./feed-notices.js";
import { keyOf } from "./folding.js";
import { kindNoun } from "./kinds.js";
import { mutedKinds, mutingItems } from "./muting.js";

/** How far below the window the end of the list may be when more is read. */
const ahead = "800px";
/** How long the window rests before its scroll position is stored, in milliseconds. */
const rest = 150;

/** The feed of the person: its cards, what is missing, and what has arrived meanwhile. */
export class FeedView {
    element = element("div", { class: "feed" });
    #feed;
    #mark;
    #signal;
    #hasOthers;
    #cards = new Map();
    #news = element("div", { class: "feed-news" });
    #newsButton = element("button", { class: "button primary", type: "button", onclick: () => this.#reveal() });
    #progress = element("div", { class: "feed-progress", role: "status" });
    #missing = element("div", {});
    #list = element("div", {
        class: "feed-cards", role: "feed", "aria-label": "Feed", onkeydown: (event) => this.#handleKey(event),
    });
    #content = element("div", {}, element("p", { class: "secondary", role: "status" }, "Loading your feed …"));
    #error = element("div", { class: "list-error", role: "alert" });
    #more = element("button", { class: "button more", type: "button", hidden: true, onclick: () => this.#readOn(true) },
        "Load more");
    #muted;
    /** Sees when the end of the list comes near. */
    #end;
    #spokenCount = 0;
    #shownProgress = "";
    #shownMissing = "";
    #hasFailed = false;
    #saving = null;

    /** `hasOthers`: whether others are here, whom the person may find. `scrollPosition` is where they left the feed. */
    constructor({ signal, hasOthers, scrollPosition }) {
        this.#signal = signal;
        this.#hasOthers = hasOthers;
        this.#feed = new FeedItems({ signal });
        this.#mark = new ReadMark({ ...feedMarks, signal });
        this.#muted = mutedKinds({ signal, ended: () => this.#refreshNow() });
        this.element.append(this.#progress, this.#missing, this.#news, this.#content, this.#error, this.#more,
            this.#muted.element);
        this.#feed.addEventListener("change", () => this.#show(), { signal });
        connection.addEventListener("restored", () => this.#hasFailed ? this.#begin() : this.#feed.plan(), { signal });
        this.#end = new IntersectionObserver((entries) => entries.at(-1).isIntersecting && this.#readOn(false),
            { rootMargin: ahead });
        signal.addEventListener("abort", () => {
            this.#end.disconnect();
            clearTimeout(this.#saving);
        });
        addEventListener("scroll", () => this.#save(), { signal, passive: true });
        // A link may lead away before the window rests.
        this.element.addEventListener("click", () => this.#saveNow());
        this.#feed.follow();
        this.#begin(scrollPosition);
    }

    async #begin(scrollPosition = null) {
        try {
            await this.#feed.begin();
            // As far as the person had read before they left the page.
            while (scrollPosition && this.#feed.hasMore && this.#feed.cards.length < scrollPosition.count) {
                const { length } = this.#feed.cards;
                await this.#feed.readOn();
                if (this.#feed.cards.length <= length) break;
            }
            this.#hasFailed = false;
            if (scrollPosition) scrollTo({ top: scrollPosition.top, behavior: "instant" });
        } catch (problem) {
            if (this.#signal.aborted || problem.status === 401) return;
            this.#hasFailed = true;
            this.#content.replaceChildren(problemView(problem, () => this.#begin(), { level: 2 }));
        }
    }

    /** Reads the next page. `isAsked`: the person pressed the button, and is led to the first new card. */
    async #readOn(isAsked) {
        if (this.#more.hidden || this.#more.ariaDisabled === "true" || (!isAsked && this.#error.hasChildNodes())) return;
        this.#more.ariaDisabled = "true";
        this.#list.ariaBusy = "true";
        this.#error.replaceChildren();
        const { length } = this.#list.children;
        try {
            await this.#feed.readOn();
            if (isAsked) this.#list.children[length]?.focus();
        } catch (problem) {
            if (this.#signal.aborted || problem.status === 401) return;
            this.#error.replaceChildren(element("p", { class: "field-error" }, messageFor(problem)),
                element("button", { class: "button small", type: "button", onclick: () => this.#readOn(true) }, "Retry"));
        } finally {
            this.#more.ariaDisabled = "false";
            this.#list.ariaBusy = "false";
        }
    }

    async #refreshNow() {
        try {
            await this.#feed.refresh();
            this.#feed.reveal();
        } catch (problem) {
            if (this.#signal.aborted || problem.status === 401) return;
            this.#error.replaceChildren(element("p", { class: "field-error" }, messageFor(problem)));
        }
    }

    /** Shows what has arrived, from the top. */
    #reveal() {
        this.#feed.reveal();
        scrollTo({ top: scrollY + this.element.getBoundingClientRect().top - 90 });
        this.#list.firstElementChild?.focus({ preventScroll: true });
    }

    // MARK: What is shown

    #show() {
        const { answer } = this.#feed;
        if (!answer) return;
        // While the person reads, what they have seen keeps its mark of being new.
        if (this.#cards.size === 0) this.#begins(answer);
        else if (this.#mark.follow(answer.readMark)) this.#showSeen();
        this.#showProgress(answer.refresh);
        this.#showMissing(answer.missing);
        this.#showNews();
        const { cards } = this.#feed;
        this.#more.hidden = !this.#feed.hasMore;
        if (cards.length === 0) {
            this.#place([]);
            this.#content.replaceChildren(this.#empty(answer));
            return;
        }
        if (this.#list.parentElement !== this.#content) this.#content.replaceChildren(this.#list);
        this.#place(cards);
        // Pages of the feed have no number.
        this.#list.querySelectorAll(":scope > article").forEach((card, index) => {
            card.ariaPosInSet = String(index + 1);
            card.ariaSetSize = this.#feed.hasMore ? "-1" : String(cards.length);
        });
    }

    /** What was seen on another device is no longer new. */
    #showSeen() {
        for (const { item, element: card } of this.#cards.values()) {
            if (!item || this.#mark.isNew(item)) continue;
            card.classList.remove("unread");
            card.querySelector(".card-title > .mark")?.remove();
        }
    }

    /** Puts these cards into the list, in their order. A card that stays keeps its element, and so the focus. */
    #place(cards) {
        const made = new Map();
        const focused = [...this.#cards].find(([, one]) => one.element.contains(document.activeElement));
        for (const card of cards) {
            const one = card.item ? this.#card(card.item) : this.#fold(card);
            if (one) made.set(one.key, one);
        }
        for (const [key, one] of this.#cards) {
            if (made.get(key)?.element === one.element) continue;
            this.#mark.forget(one.element);
            one.element.remove();
        }
        let next = this.#list.firstElementChild;
        for (const { element: card } of made.values()) {
            if (card === next) next = next.nextElementSibling;
            else this.#list.insertBefore(card, next);
        }
        this.#cards = made;
        // A card that was made again has another element.
        const again = focused && made.get(focused[0])?.element;
        if (again && again !== focused[1].element) again.focus({ preventScroll: true });
        // More may be needed below: an observer reports only what changes.
        this.#end.unobserve(this.#more);
        this.#end.observe(this.#more);
    }

    #card(item) {
        const key = keyOf(item);
        const json = JSON.stringify(item);
        const known = this.#cards.get(key);
        if (known?.json === json) return known;
        if (known?.show) {
            known.show(item);
            return Object.assign(known, { json, item });
        }
        const card = cardOf(item, {
            signal: this.#signal, items: () => mutingItems(item, { feed: this.#feed, left: () => this.#left(key) }),
            changed: (changed) => this.#change(changed),
        });
        if (!card) return null;
        const isNew = this.#mark.isNew(item);
        card.element.tabIndex = 0;
        card.element.classList.toggle("unread", isNew);
        if (isNew) card.element.querySelector(".card-title").append(" ", element("span", { class: "mark" }, "New"));
        this.#mark.observe(card.element, item);
        return { key, json, item, ...card };
    }

    /** The card in place of those that are folded. */
    #fold({ folded, foldKey }) {
        const key = `fold:${keyOf(folded[0])}`;
        const known = this.#cards.get(key);
        if (known?.count === folded.length) return known;
        const [{ kind }] = folded;
        const text = `${folded.length} more ${kindNoun(kind, folded.length)}`;
        const card = element("article", { class: "card feed-card feed-fold", tabindex: "0", "aria-label": text },
            element("button", { class: "button", type: "button", "aria-expanded": "false", onclick: () => {
                const first = keyOf(folded[0]);
                this.#feed.unfold(foldKey);
                this.#cards.get(first)?.element.focus();
            } }, icon("down"), `Show ${text}`));
        return { key, element: card, count: folded.length, show: null };
    }

    #change(item) {
        if (item.share?.gone) {
            const left = () => this.#left(keyOf(item));
            this.#feed.remove((other) => keyOf(other) === keyOf(item));
            left();
        } else {
            this.#feed.update(item);
            const card = this.#cards.get(keyOf(item));
            if (card) Object.assign(card, { item, json: JSON.stringify(item) });
        }
    }

    /** Something was taken out of the feed: the focus was on it. */
    #left() {
        this.#muted.load();
        if (document.activeElement !== document.body && document.activeElement?.isConnected) return;
        const card = [...this.#list.children].find((one) => one.getBoundingClientRect().bottom > 120);
        (card ?? document.querySelector("main h1"))?.focus({ preventScroll: true });
    }

    #begins({ readMark, newSince }) {
        this.#mark.current = readMark;
        if (!newSince?.count) return;
        const { count, isMore } = newSince;
        announce(`${isMore ? "More than " : ""}${counted(count, "new item")} since you last looked.`);
    }

    #showProgress(refresh) {
        const text = JSON.stringify(refresh ?? []);
        if (text === this.#shownProgress) return;
        this.#shownProgress = text;
        this.#progress.replaceChildren(...refreshProgress(refresh));
    }

    #showMissing(missing) {
        const text = JSON.stringify(missing ?? []);
        // Replacing identical buttons would lose the focus.
        if (text === this.#shownMissing) return;
        this.#shownMissing = text;
        this.#missing.replaceChildren(...[missingSources(missing, () => this.#refreshNow())].filter(Boolean));
    }

    #showNews() {
        const { newCount } = this.#feed;
        const text = `${newCount > 99 ? "99+" : newCount} new`;
        if (newCount > this.#spokenCount) announce(`${counted(newCount, "new item")} in your feed.`);
        this.#spokenCount = newCount;
        if (newCount === 0) {
            if (this.#news.contains(document.activeElement)) this.#list.firstElementChild?.focus({ preventScroll: true });
            this.#newsButton.remove();
            return;
        }
        this.#newsButton.replaceChildren(icon("up"), text, hiddenText(": show them"));
        if (!this.#newsButton.isConnected) this.#news.append(this.#newsButton);
    }

    #empty({ refresh }) {
        return emptyView({
            picture: "feed", title: "No activity yet",
            text: [
                this.#hasOthers
                    ? "Follow people and share songs. Concerts and new releases of your artists appear here, too."
                    : "Rank your artists. Their concerts and new releases, and concerts near you, appear here.",
                ...(isRefreshing(refresh) ? ["Backline is looking for them right now."] : []),
            ],
            actions: [
                element("a", { class: "button primary", href: "/explore" }, "Explore"),
                this.#hasOthers && element("a", { class: "button", href: "/people" }, "Find people"),
            ].filter(Boolean),
        });
    }

    /** Page Down and Page Up lead from card to card, as screen readers expect of a feed. */
    #handleKey(event) {
        const step = { PageDown: 1, PageUp: -1 }[event.key];
        if (!step || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
        const cards = [...this.#list.children];
        const index = cards.findIndex((card) => card.contains(event.target));
        const next = cards[index + step];
        if (index < 0 || !next) return;
        event.preventDefault();
        next.focus();
    }

    // MARK: The scroll position

    #save() {
        clearTimeout(this.#saving);
        this.#saving = setTimeout(() => this.#saveNow(), rest);
    }

    #saveNow() {
        if (this.#signal.aborted || this.#cards.size === 0) return;
        saveScrollPosition({ count: this.#cards.size, top: scrollY });
    }
}
