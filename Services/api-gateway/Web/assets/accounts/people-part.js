import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { grouped } from "../ui/formats.js";

/** The links to the pages of people, with their numbers. `me` is the answer of `/v1/me`. */
export function peoplePart(me, { signal }) {
    const [following, followers, requests] = [
        link("/people/following", "Following"), link("/people/followers", "Followers"),
        link("/people/requests", "Requests"),
    ];
    count();
    return element("section", { class: "card usage", "aria-labelledby": "profile-people" },
        element("h2", { id: "profile-people" }, "People"),
        element("ul", { class: "detail-buttons" }, [
            link("/people", "Find people"), following, followers, requests, link("/people/blocked", "Blocked people"),
            link(`/users/${encodeURIComponent(me.username)}`, "Your profile as others see it"),
        ].map((one) => element("li", {}, one))));

    async function count() {
        // The links work without the numbers.
        const read = (path) => api.get(path, { signal }).catch(() => null);
        const [profile, asking] = await Promise.all(
            [read(`/v1/users/${encodeURIComponent(me.username)}`), read("/v1/me/follow-requests")]);
        if (profile?.counts) {
            following.append(number(profile.counts.following));
            followers.append(number(profile.counts.followers));
        }
        if (asking?.items.length > 0) {
            requests.append(number(asking.items.length, { hasMore: asking.nextCursor !== null }));
        }
    }
}

function link(href, text) {
    return element("a", { class: "button", href }, text);
}

function number(count, { hasMore = false } = {}) {
    return element("span", { class: "secondary" }, ` ${grouped(count)}${hasMore ? "+" : ""}`);
}
