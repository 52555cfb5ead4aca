import { api } from "../shell/api.js";
import { element } from "../ui/dom.js";
import { emptyView } from "../ui/problem-view.js";
import { withoutPeople } from "./people-links.js";

/**
 * Says on a page of people that nobody else has an account, where that is so: in place of `parts`, which are next to
 * each other below the heading. `links` are those above it.
 */
export async function explainIfAlone({ links, parts, signal }) {
    // The page works without it.
    const me = await api.get("/v1/me", { signal }).catch(() => null);
    if (me?.hasOthers !== false) return;
    withoutPeople(links);
    const [first, ...others] = parts;
    for (const part of others) part.remove();
    first.replaceWith(emptyView({
        picture: "people", title: "There is nobody else here yet",
        text: "Yours is the only account on this Backline. Once there is another, you can follow each other.",
        actions: [me.mayInvite && element("a", { class: "button primary", href: "/profile/invitations" },
            "Invite somebody")].filter(Boolean),
    }));
}
