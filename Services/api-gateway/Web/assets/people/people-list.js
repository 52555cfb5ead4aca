import { api } from "../shell/api.js";
import { connection } from "../shell/connection.js";
import { element } from "../ui/dom.js";
import { messageFor, problemView } from "../ui/problem-view.js";
import { FollowButton } from "./follow-button.js";
import { PersonRow } from "./person-row.js";

const pageSize = 50;
/** The most pages that are read again to bring a list up to date. */
const mostPages = 10;
/** How long the window rests before its scroll position is stored, in milliseconds. */
const rest = 150;

/**
 * A list of people that grows page by page. A change elsewhere reads what is shown again; a person with whom something
 * was done here keeps their row until the page is left, so that it can be undone.
 *
 * `label` names the list, `path` is the API's, and `empty(answer)` is shown in place of an empty list, with the latest
 * answer. `note(person)` and `controls(person)` are those of the rows (`PersonRow`); without `controls`, rows have a
 * button that follows. Their names are links, unless `hasLinks` is false. `scrollPosition` is what `onScroll` was
 * called with before the person left the page. `changed({ count, isWhole })` is called after each answer: the number of
 * rows, and whether these are all.
 */
export class PeopleList {
    element = element("div", { class: "people-list" });
    #options;
    #list;
    #error = element("div", { class: "list-error", role: "alert" });
    #more = element("button", { class: "button more", type: "button", hidden: true, onclick: () => this.#readOn() },
        "Load more");
    #path;
    /** The people who are shown, in their order, and the rows by usernames. */
    #people = [];
    #rows = new Map();
    #cursor = null;
    /** The latest answer of the API. */
    #answer = null;
    #touched = new Set();
    #reading = new AbortController();
    #isReading = false;
    #isReadingOn = false;
    /** Whether more was asked for while the list was being read again. */
    #wantsMore = false;
    #isOutdated = false;
    #hasFailed = false;
    #scrollPosition;
    #saving = null;

    constructor({ label, path, scrollPosition = null, ...options }) {
        const { signal, onScroll } = options;
        this.#options = { hasLinks: true, changed: () => {}, ...options };
        this.#options.controls ??= (person) => [this.#followButton(person)];
        this.#path = path;
        this.#scrollPosition = scrollPosition;
        this.#list = element("ul", { class: "people-rows", "aria-label": label });
        signal.addEventListener("abort", () => {
            this.#reading.abort();
            clearTimeout(this.#saving);
        });
        connection.addEventListener("restored", () => this.#hasFailed && this.begin(), { signal });
        if (!onScroll) return;
        addEventListener("scroll", () => this.#save(), { signal, passive: true });
        this.#list.addEventListener("focusin", () => this.#save());
        // A link may lead away before the window rests.
        this.#list.addEventListener("click", () => this.#saveNow());
    }

    /** Shows the list of `path`, or the same one again, from its beginning. An earlier request is dropped. */
    async begin(path = this.#path) {
        this.#path = path;
        this.#touched.clear();
        if (this.#people.length === 0) {
            this.element.replaceChildren(element("p", { class: "secondary", role: "status" }, "Loading …"));
        }
        const scrollPosition = this.#scrollPosition;
        this.#scrollPosition = null;
        try {
            if (!await this.#read(scrollPosition?.count ?? 1)) return;
            if (scrollPosition) this.#restore(scrollPosition);
        } catch (problem) {
            this.#people = [];
            this.#hasFailed = true;
            this.element.replaceChildren(problemView(problem, () => this.begin(), { level: 2 }));
        }
    }

    /** Reads again what is shown, after a change elsewhere. A failure leaves the list as it is. */
    async refresh() {
        // Whatever is being read may be older than the change.
        this.#isOutdated = true;
        if (this.#isReading) return;
        await this.#read(this.#people.length || 1).catch(() => {});
    }

    /** Somebody is gone: nobody's row is kept any longer. */
    forget() {
        this.#touched.clear();
        return this.refresh();
    }

    /** Shows a person who has changed. Returns whether the list has them. */
    update(person) {
        const index = this.#people.findIndex(({ username }) => username === person.username);
        if (index < 0) return false;
        this.#people[index] = { ...this.#people[index], ...person };
        this.#rows.get(person.username).show(this.#people[index]);
        return true;
    }

    /** Removes a person's row. The focus moves to a neighbor. */
    remove({ username }) {
        this.#touched.delete(username);
        this.#show(this.#people.filter((person) => person.username !== username));
    }

    /**
     * Reads pages from the beginning until they have `count` people. Returns whether the list is shown: a later call
     * may have come first. Throws a `Problem`.
     */
    async #read(count) {
        const reading = this.#beginReading();
        try {
            let people;
            let answer;
            do {
                this.#isOutdated = false;
                ({ people, answer } = await this.#pages(count, reading.signal));
            } while (this.#isOutdated);
            this.#cursor = answer.nextCursor;
            this.#answer = answer;
            this.#hasFailed = false;
            this.#show(this.#withTouched(people));
            this.#report();
            return true;
        } catch (problem) {
            if (reading.signal.aborted || problem.status === 401) return false;
            throw problem;
        } finally {
            this.#endReading(reading);
        }
    }

    /** The people of as many pages as it takes for `count` of them, and the last answer. */
    async #pages(count, signal) {
        const people = [];
        let answer = null;
        for (let page = 0; page < mostPages && people.length < count; page += 1) {
            answer = await this.#page(answer?.nextCursor ?? null, signal);
            people.push(...answer.items);
            if (answer.nextCursor === null) break;
        }
        return { people, answer };
    }

    #page(cursor, signal) {
        const query = new URLSearchParams({ limit: pageSize, ...(cursor && { cursor }) });
        return api.get(`${this.#path}${this.#path.includes("?") ? "&" : "?"}${query}`, { signal });
    }

    async #readOn() {
        if (this.#isReadingOn || this.#cursor === null) return;
        if (this.#isReading) {
            this.#wantsMore = true;
            return;
        }
        this.#isReadingOn = true;
        this.#error.replaceChildren();
        const known = this.#people.length;
        const reading = this.#beginReading();
        try {
            const answer = await this.#page(this.#cursor, reading.signal);
            this.#cursor = answer.nextCursor;
            this.#answer = answer;
            const shown = new Set(this.#people.map(({ username }) => username));
            this.#show([...this.#people, ...answer.items.filter(({ username }) => !shown.has(username))]);
            this.#rows.get(this.#people[known]?.username)?.focus();
            this.#report();
            this.#save();
        } catch (problem) {
            if (reading.signal.aborted || problem.status === 401) return;
            this.#error.replaceChildren(element("p", { class: "field-error" }, messageFor(problem)));
        } finally {
            this.#isReadingOn = false;
            this.#endReading(reading);
        }
        if (this.#isOutdated) this.refresh();
    }

    /** Begins requests that supersede all others. */
    #beginReading() {
        this.#reading.abort();
        this.#reading = new AbortController();
        this.#isReading = true;
        this.#list.ariaBusy = "true";
        return this.#reading;
    }

    #endReading(reading) {
        if (this.#reading !== reading) return;
        this.#isReading = false;
        this.#list.ariaBusy = "false";
        if (!this.#wantsMore) return;
        this.#wantsMore = false;
        this.#readOn();
    }

    #report() {
        this.#options.changed({ count: this.#people.length, isWhole: this.#cursor === null });
    }

    /** The people of an answer, and those with whom something was done here, after the same neighbors as before. */
    #withTouched(people) {
        const known = new Set(people.map(({ username }) => username));
        const all = [...people];
        this.#people.forEach((person, index) => {
            if (known.has(person.username) || !this.#touched.has(person.username)) return;
            const before = this.#people[index - 1]?.username;
            all.splice(all.findIndex(({ username }) => username === before) + 1, 0, person);
        });
        return all;
    }

    #show(people) {
        const focused = this.#people.findIndex(({ username }) =>
            this.#rows.get(username)?.element.contains(document.activeElement));
        const former = this.#rows;
        this.#rows = new Map(people.map((person) => [person.username, this.#row(person, former)]));
        const leaving = new Set([...former].filter(([username]) => !this.#rows.has(username)).map(([, row]) => row));
        for (const { element: row } of leaving) row.remove();
        // Moving a row that is in its place would lose the focus.
        let next = this.#list.firstElementChild;
        for (const { element: row } of this.#rows.values()) {
            if (row === next) next = next.nextElementSibling;
            else this.#list.insertBefore(row, next);
        }
        this.#people = people;
        this.#more.hidden = this.#cursor === null;
        const isEmpty = people.length === 0 && this.#cursor === null;
        if (isEmpty) this.element.replaceChildren(...[this.#options.empty(this.#answer)].flat());
        else if (!this.#list.isConnected) this.element.replaceChildren(this.#list, this.#error, this.#more);
        if (focused >= 0 && !this.#list.contains(document.activeElement)) this.#focusNear(focused);
    }

    #row(person, former) {
        const known = former.get(person.username);
        if (known) {
            known.show(person);
            return known;
        }
        const { note, controls, hasLinks } = this.#options;
        return new PersonRow(person, { note, controls: controls(person), hasLink: hasLinks });
    }

    #followButton(person) {
        return new FollowButton(person, {
            changed: (changed) => {
                this.#touched.add(changed.username);
                this.update(changed);
            },
        });
    }

    #focusNear(index) {
        const near = this.#people[Math.min(index, this.#people.length - 1)];
        if (near) return this.#rows.get(near.username).focus();
        focusHeading();
    }

    // MARK: Scroll position

    #save() {
        if (!this.#options.onScroll) return;
        clearTimeout(this.#saving);
        this.#saving = setTimeout(() => this.#saveNow(), rest);
    }

    #saveNow() {
        clearTimeout(this.#saving);
        const { onScroll, signal } = this.#options;
        if (signal.aborted || this.#people.length === 0) return;
        const focused = this.#people.find(({ username }) =>
            this.#rows.get(username).element.contains(document.activeElement));
        onScroll({ count: this.#people.length, top: scrollY, focus: focused?.username ?? null });
    }

    #restore({ top, focus }) {
        scrollTo({ top, behavior: "instant" });
        const row = this.#rows.get(focus);
        if (row) row.focus({ preventScroll: true });
        else focusHeading();
    }
}

function focusHeading() {
    const heading = document.querySelector("main h1");
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
}
