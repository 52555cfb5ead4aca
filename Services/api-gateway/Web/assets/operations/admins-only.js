import { element } from "../ui/dom.js";
import { emptyView } from "../ui/problem-view.js";
import { session } from "../shell/session.js";

/** What a page for administrators shows to everyone else; `null` for administrators. */
export function forAdminsOnly(title) {
    if (session.user.isAdmin) return null;
    return [element("h1", {}, title), emptyView({
        picture: "key", title: "For administrators only",
        text: "The operator of this Backline can add an administrator: “backline user add NAME --admin”.",
    })];
}
