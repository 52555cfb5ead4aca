import { api } from "../shell/api.js";
import { replaceAddress } from "../shell/navigate.js";
import { confirmed } from "../ui/confirmation.js";
import { element, freshID, hiddenText } from "../ui/dom.js";
import { fact } from "../ui/fact.js";
import { clockTime } from "../ui/formats.js";
import { name } from "../ui/list-row.js";
import { messageFor } from "../ui/problem-view.js";
import { Tabs } from "../ui/tabs.js";
import { toast } from "../ui/toast.js";
import { forAdminsOnly } from "./admins-only.js";
import { PagedEntries } from "./paged-entries.js";
import { suspensionText } from "./suspension-text.js";

const states = { open: "Open", decided: "Decided" };
const decisions = { nothing: "The report was dismissed.", suspend: "The person was suspended." };

/** What people have reported about others, and what administrators decided. */
export function show({ main, signal }) {
    const title = "Reports";
    const refusal = forAdminsOnly(title);
    if (refusal) {
        main.replaceChildren(...refusal);
        return title;
    }
    const given = new URLSearchParams(location.search).get("state");
    let entries = null;
    const tabs = new Tabs({
        label: "Reports", tabs: states, current: Object.hasOwn(states, given) ? given : "open", open: (state) => {
            replaceAddress(state === "open" ? "/operations/reports" : `/operations/reports?state=${state}`);
            open(state);
        },
    });
    main.replaceChildren(element("div", { class: "detail" },
        element("p", { class: "way" }, element("a", { href: "/operations" }, "← Operations")),
        element("h1", {}, title),
        element("p", { class: "lead" }, "People report others to you. Nobody learns who reported them, and those "
            + "who report do not learn what you decide. People whom you suspend learn that they are suspended. Reports "
            + "are kept for 90 days, and their text only until you decide."),
        tabs.element, tabs.panel));
    open(Object.hasOwn(states, given) ? given : "open");
    return title;

    function open(state) {
        entries = new PagedEntries({
            label: `${states[state]} reports`, path: `/v1/admin/reports?state=${state}`, signal, entry,
            nothing: state === "open" ? "No reports are waiting for you."
                : "No reports were decided in the last 90 days.",
        });
        tabs.panel.replaceChildren(entries.element);
        entries.load();
    }

    function entry(report) {
        const heading = freshID("report");
        const { subject, reporter, profile, text, isReadable, decision, decidedAt, createdAt } = report;
        return element("li", { class: "entry report", "aria-labelledby": heading },
            element("div", { class: "entry-text" },
                element("h2", { id: heading }, subject ? name(subject) : "Somebody who was erased"),
                element("p", { class: "secondary" }, "Reported by ",
                    reporter ? name(reporter) : "somebody who was erased", `, ${clockTime(createdAt)}`),
                text && element("blockquote", {}, name(text)),
                profile && element("details", { class: "disclosure" },
                    element("summary", {}, "The profile when it was reported", hiddenText(`: ${profile.username}`)),
                    element("dl", { class: "facts" }, fact("Username", name(profile.username)),
                        profile.displayName && fact("Display name", name(profile.displayName)),
                        profile.bio && fact("About them", name(profile.bio)))),
                !isReadable && element("p", {}, "The report cannot be decrypted. The gateway’s log has the reason."),
                decision && element("p", {}, `${decisions[decision]} Decided ${clockTime(decidedAt)}.`)),
            !decision && element("div", { class: "detail-buttons" },
                button("Dismiss", subject && ` the report about ${subject}`,
                    () => decide(report, "nothing")),
                subject && button("Suspend", ` ${subject}`, () => decide(report, "suspend"))));
    }

    /** A button. Its label continues with what is not shown, so that it differs from those of other reports. */
    function button(text, continuation, press) {
        return element("button", { class: "button small", type: "button", onclick: press }, text,
            hiddenText(continuation ?? ""));
    }

    async function decide({ id, subject }, decision) {
        const isMeant = decision === "nothing" || await confirmed({
            title: `Suspend ${subject}?`, action: "Suspend",
            text: suspensionText,
        });
        if (!isMeant || signal.aborted) return;
        let said = decision === "suspend" ? `${subject} is suspended.` : "The report was dismissed.";
        try {
            await api.post(`/v1/admin/reports/${id}/decision`, { decision });
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            // Another administrator may have decided before.
            said = messageFor(problem);
        }
        await entries.load();
        toast(said);
    }
}
