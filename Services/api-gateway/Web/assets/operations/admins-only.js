import { element } from "../ui/dom.js";
import { emptyView } from "../ui/problem-view.js";
import { session } from "../shell/session.js";

/** What a page of the operator's shows to everybody else; `null` for administrators. */
export function forAdminsOnly(title) {
    if (session.user.isAdmin) return null;
    return [element("h1", {}, title), emptyView({
        picture: "key", title: "For administrators only",
        text: "The operator of this Backline can add an administrator: “backline user add NAME --admin”.",
    })];
}
