import { api } from "../shell/api.js";
import { deleteWithRecentSignIn } from "../shell/recent-sign-in.js";
import { session } from "../shell/session.js";
import { confirmed } from "../ui/confirmation.js";
import { element, hiddenText } from "../ui/dom.js";
import { shortDate } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { name } from "../ui/list-row.js";
import { openMenu } from "../ui/menu.js";
import { messageFor } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";
import { forAdminsOnly } from "./admins-only.js";
import { PagedEntries } from "./paged-entries.js";
import { suspensionText } from "./suspension-text.js";

/** All accounts of this installation, whatever they show to others. */
export function show({ main, signal }) {
    const title = "Accounts";
    const refusal = forAdminsOnly(title);
    if (refusal) {
        main.replaceChildren(...refusal);
        return title;
    }
    const entries = new PagedEntries({
        label: title, path: "/v1/admin/accounts", signal, entry, nothing: "There are no accounts.",
    });
    main.replaceChildren(element("div", { class: "detail" },
        element("p", { class: "way" }, element("a", { href: "/operations" }, "← Operations")),
        element("h1", {}, title),
        element("div", { class: "detail-buttons" },
            element("a", { class: "button", href: "/profile/invitations" }, "Invite somebody"),
            element("a", { class: "button", href: "/operations/reports" }, "Reports")),
        entries.element));
    entries.load();
    return title;

    function entry(account) {
        const { username, displayName, createdAt, lastSeenAt, isSuspended, isAdmin } = account;
        const called = displayName ?? username;
        const menu = element("button", {
            class: "button small", type: "button", "aria-haspopup": "menu", "aria-expanded": "false",
            onclick: () => openMenu({
                label: `Actions for ${called}`, at: menu, opener: menu, items: actions(account),
            }),
        }, icon("more"), "Actions", hiddenText(` for ${called}`));
        const isSelf = username === session.user.name;
        return element("li", { class: "entry" },
            element("div", { class: "entry-text" },
                element("p", {}, name(called, "entry-title"), displayName && [" ", name(`@${username}`, "secondary")]),
                element("p", { class: "secondary" },
                    lastSeenAt ? `Last seen ${shortDate(lastSeenAt)}` : "Never seen",
                    ` · joined ${shortDate(createdAt)}`),
                (isAdmin || isSuspended) && element("p", { class: "marks" },
                    isAdmin && element("span", { class: "mark" }, "Administrator"),
                    isSuspended && element("span", { class: "mark account-suspended" }, "Suspended"))),
            isSelf ? element("p", { class: "secondary" }, "This is you") : menu);
    }

    function actions({ username, displayName, isSuspended, isAdmin }) {
        const called = displayName ?? username;
        const path = `/v1/admin/accounts/${encodeURIComponent(username)}`;
        const suspension = isSuspended
            ? { label: "Reinstate", picture: "check", action: () => run({
                send: () => api.delete(`${path}/suspension`), said: `${called} can use Backline again.`,
            }) }
            : { label: "Suspend", picture: "pause", action: () => run({
                question: {
                    title: `Suspend ${called}?`, action: "Suspend",
                    text: suspensionText,
                },
                send: () => api.put(`${path}/suspension`), said: `${called} is suspended.`,
            }) };
        const rights = isAdmin
            ? { label: "Remove as administrator", picture: "key", action: () => run({
                send: () => api.delete(`${path}/administrator`), said: `${called} is no longer an administrator.`,
            }) }
            // Who is suspended cannot become one.
            : !isSuspended && { label: "Make administrator", picture: "key", action: () => run({
                question: {
                    title: `Make ${called} an administrator?`, action: "Make administrator",
                    text: "They can then see and suspend all accounts, decide on reports, and erase people, "
                        + "including you.",
                },
                send: () => api.put(`${path}/administrator`), said: `${called} is an administrator now.`,
            }) };
        const erasure = { label: "Erase", picture: "cross", action: () => run({
            question: {
                title: `Erase ${called}?`, action: "Erase",
                text: "All their data is erased within seconds, or minutes if there is a lot. This cannot be undone. "
                    + "What stays: earlier backups; the songs, but not their name, in blends that others made with "
                    + "them; reports by them and about them, until you decide, for 90 days at most; and a hash of "
                    + "their usernames, so that nobody else gets them for a year.",
            },
            send: () => deleteWithRecentSignIn(path, { action: "Erase", signal }), said: `${called} was erased.`,
        }) };
        return [suspension, rights, erasure];
    }

    /** Asks the question, if there is one, sends, and shows the list as it is then. */
    async function run({ question, send, said }) {
        if (question && !await confirmed(question) || signal.aborted) return;
        try {
            // Somebody who has to prove who they are may change their mind.
            if (await send() === false) return;
            await entries.load();
            toast(said);
        } catch (problem) {
            if (!signal.aborted && problem.status !== 401) toast(messageFor(problem));
        }
    }
}
