import { api } from "../shell/api.js";
import { announce } from "../ui/announcer.js";
import { confirmed } from "../ui/confirmation.js";
import { CopyField } from "../ui/copy-field.js";
import { element } from "../ui/dom.js";
import { fact } from "../ui/fact.js";
import { clockTime, longDate } from "../ui/formats.js";
import { outsideLink } from "../ui/outside-link.js";
import { messageFor, problemView } from "../ui/problem-view.js";

const path = "/v1/me/calendar";

/** The calendar of concerts to which a person's programs subscribe: its address, which concerts it has, and its end. */
export function show({ main, signal }) {
    const heading = element("h1", { tabindex: "-1" }, "Calendar");
    const error = element("p", { class: "field-error", role: "alert" });
    const parts = element("div", { class: "settings-parts" }, element("p", { class: "secondary" }, "Loading …"));
    let homeCity = null;
    main.replaceChildren(element("div", { class: "narrow" },
        element("p", { class: "way" }, element("a", { href: "/profile/settings" }, "← Settings")), heading,
        element("p", {}, "Subscribe to the concerts of ", element("a", { href: "/explore/concerts" }, "your artists"),
            " in a calendar program. It shows new concerts, and what was moved or cancelled."),
        error, parts));
    load();
    return "Calendar";

    async function load() {
        try {
            const [me, calendar] = await Promise.all([api.get("/v1/me", { signal }), api.get(path, { signal })]);
            ({ homeCity } = me);
            render(calendar);
        } catch (problem) {
            if (signal.aborted || problem.status === 401) return;
            parts.replaceChildren(problemView(problem, load, { level: 2 }));
        }
    }

    /** `calendar` is `null` while it is off. Right after it was made, it has its `url`. */
    function render(calendar) {
        const choice = places(calendar);
        parts.replaceChildren(...[
            calendar ? address(calendar, choice) : offer(choice), choice.element, calendar && end(), notes(),
        ].filter(Boolean));
    }

    function offer(choice) {
        return section("Address",
            element("p", {}, "The calendar is off."),
            element("div", { class: "detail-buttons" }, element("button", {
                class: "button primary", type: "button", onclick: () => make(choice.value),
            }, "Make an address")));
    }

    function address({ url, madeAt, lastReadAt }, choice) {
        const made = url ? shownAddress(new URL(url, location.origin).href)
            : [element("p", { class: "hint" }, "Backline does not store the address and cannot show it again. If you no "
                + "longer have it, make a new one.")];
        return section("Address", ...made,
            element("dl", { class: "facts" }, fact("Made", longDate(madeAt)),
                fact("Last read", lastReadAt ? clockTime(lastReadAt) : "Not yet")),
            element("div", { class: "detail-buttons" }, element("button", {
                class: "button", type: "button", onclick: () => replace(choice.value),
            }, "Make a new address")));
    }

    /** The address, with links that open it in programs. */
    function shownAddress(url) {
        const field = new CopyField({
            label: "Your address", value: url, copied: "The address was copied.",
            hint: "Copy it now: Backline does not store it and cannot show it again.",
        });
        const subscription = url.replace(/^https?:/, "webcal:");
        const google = `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(subscription)}`;
        queueMicrotask(() => field.focus());
        return [field.element, element("div", { class: "detail-buttons" },
            element("a", { class: "button", href: subscription }, "Open in a calendar program")),
        // Google's servers have to reach the address.
        location.protocol === "https:" && element("p", {}, outsideLink(google, "Add to Google Calendar"))];
    }

    /** Which concerts it has. A choice is saved at once when the calendar is on. */
    function places(calendar) {
        let saved = calendar?.places ?? "home";
        // Two quick choices are saved in their order.
        let saving = Promise.resolve();
        const radio = (value, text, hint) => element("label", { class: "option" },
            element("input", {
                type: "radio", name: "places", value, checked: value === saved,
                onchange: () => {
                    if (calendar) saving = saving.then(() => save(value));
                },
            }), element("span", {}, text, hint && element("span", { class: "hint" }, ` ${hint}`)));
        const group = element("fieldset", { class: "card options" },
            element("legend", {}, "Concerts"),
            homeCity ? radio("home", `In and around ${homeCity}`)
                : radio("home", "In and around your home city",
                    "Your profile has none yet, so all concerts are shown."),
            radio("anywhere", "Everywhere"));
        return {
            element: group, get value() {
                return group.querySelector("input:checked").value;
            },
        };

        async function save(value) {
            error.textContent = "";
            try {
                await api.patch(path, { places: value }, { signal });
                saved = value;
                announce("Saved.");
            } catch (problem) {
                group.querySelector(`input[value="${saved}"]`).checked = true;
                report(problem);
            }
        }
    }

    function end() {
        return element("div", { class: "detail-buttons" }, element("button", {
            class: "button danger", type: "button", onclick: switchOff,
        }, "Switch the calendar off"));
    }

    async function make(wanted) {
        error.textContent = "";
        try {
            render(await api.post(path, { places: wanted }, { signal }));
            announce("The address was made. Copy it now: it will not be shown again.");
        } catch (problem) {
            report(problem);
        }
    }

    async function replace(wanted) {
        const isMeant = await confirmed({
            title: "Make a new address?", action: "Make it",
            text: "Programs that use the present address will no longer get anything, and have to subscribe again.",
        });
        if (isMeant && !signal.aborted) await make(wanted);
    }

    async function switchOff() {
        const isMeant = await confirmed({
            title: "Switch the calendar off?", action: "Switch off",
            text: "Its address stops working for good. Programs may keep the concerts that they have.",
        });
        if (!isMeant || signal.aborted) return;
        error.textContent = "";
        try {
            await api.delete(path, { signal });
            render(null);
            heading.focus();
            announce("The calendar is off.");
        } catch (problem) {
            report(problem);
        }
    }

    function report(problem) {
        if (!signal.aborted && problem.status !== 401) error.textContent = messageFor(problem);
    }
}

/** What people should know before they wonder about it. */
function notes() {
    return section("Good to know", element("ul", { class: "calendar-notes" }, [
        "Whoever has the address sees these concerts, without an account. Treat it like a password, and make a new one if "
            + "somebody has it who should not.",
        "Programs read the calendar when they like. Google Calendar may show changes only after a day or more, and it reads "
            + "only addresses that can be reached from the internet.",
        "Times are those at the venue. A concert whose time zone is unknown takes up the whole day.",
        "Cancelled and postponed concerts are marked. They stay for 30 days, and so do concerts that are over.",
        "The calendar has up to 500 concerts, the next ones first.",
    ].map((text) => element("li", {}, text))));
}

function section(title, ...content) {
    return element("section", { class: "card settings-part", "aria-label": title }, element("h2", {}, title), content);
}
