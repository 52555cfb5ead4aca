import { lists } from "./lists.js";

/** The shown list of the library with its filter, search and order, as the page's address names them. */
export class LibraryQuery {
    /** `search` is the query of an address. Unknown values are ignored. */
    constructor(search) {
        const given = new URLSearchParams(search);
        this.list = known(given.get("show"), lists, "tracks");
        this.source = known(given.get("source"), this.definition.sources, "all");
        this.sort = this.definition.sorts ? known(given.get("sort"), this.definition.sorts, "recentlyAdded") : null;
        this.text = given.get("q") ?? "";
    }

    get definition() {
        return lists[this.list];
    }

    /** Whether a filter or a search narrows the list. */
    get isNarrowed() {
        return this.source !== "all" || this.text !== "";
    }

    /** The address of the page with this list. Default values are left out. */
    get address() {
        const parts = new URLSearchParams();
        if (this.list !== "tracks") parts.set("show", this.list);
        if (this.source !== "all") parts.set("source", this.source);
        if (this.sort && this.sort !== "recentlyAdded") parts.set("sort", this.sort);
        if (this.text) parts.set("q", this.text);
        return parts.size > 0 ? `/library?${parts}` : "/library";
    }

    /** A copy with other values. */
    with(values) {
        return Object.assign(new LibraryQuery(this.address.split("?")[1] ?? ""), values);
    }

    /** The API's path for a page of the list. */
    path({ limit, position }) {
        const parts = new URLSearchParams({ source: this.source, position, limit });
        if (this.sort) parts.set("sort", this.sort);
        if (this.text) parts.set("q", this.text);
        return `/v1/library/${this.list}?${parts}`;
    }

    /** The API's path for the smallest page of the list's items from a source. Its answer has their total number. */
    countPath(source) {
        return `/v1/library/${this.list}?${new URLSearchParams({ source, limit: 1 })}`;
    }
}

function known(name, values, fallback) {
    return Object.hasOwn(values, name) ? name : fallback;
}
