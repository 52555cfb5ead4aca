import { shelves } from "./shelves.js";

/** Which list of the library is shown, with its filter, search and order. The page's address has it. */
export class LibraryQuery {
    /** `search` is the query of an address. Values that the page does not know are left out. */
    constructor(search) {
        const given = new URLSearchParams(search);
        this.shelf = known(given.get("show"), shelves, "tracks");
        this.source = known(given.get("source"), this.lists.sources, "all");
        this.sort = this.lists.sorts ? known(given.get("sort"), this.lists.sorts, "recentlyAdded") : null;
        this.text = given.get("q") ?? "";
    }

    get lists() {
        return shelves[this.shelf];
    }

    /** Whether the list is a part of the shelf. */
    get isNarrowed() {
        return this.source !== "all" || this.text !== "";
    }

    /** The address of the page with this list. What is not said has its standard value. */
    get address() {
        const parts = new URLSearchParams();
        if (this.shelf !== "tracks") parts.set("show", this.shelf);
        if (this.source !== "all") parts.set("source", this.source);
        if (this.sort && this.sort !== "recentlyAdded") parts.set("sort", this.sort);
        if (this.text) parts.set("q", this.text);
        return parts.size > 0 ? `/library?${parts}` : "/library";
    }

    /** The same with other values. */
    with(values) {
        return Object.assign(new LibraryQuery(this.address.split("?")[1] ?? ""), values);
    }

    /** The API's path of a page of the list. */
    path({ limit, position }) {
        const parts = new URLSearchParams({ source: this.source, position, limit });
        if (this.sort) parts.set("sort", this.sort);
        if (this.text) parts.set("q", this.text);
        return `/v1/library/${this.shelf}?${parts}`;
    }

    /** The API's path of the smallest page of what a source has of the shelf; its answer has the number of items. */
    countPath(source) {
        return `/v1/library/${this.shelf}?${new URLSearchParams({ source, limit: 1 })}`;
    }
}

function known(name, values, fallback) {
    return Object.hasOwn(values, name) ? name : fallback;
}
