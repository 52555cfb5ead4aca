import { element } from "../ui/dom.js";
import { groupings } from "./grouping.js";
import { icon } from "../ui/icons.js";

/** The choice of a grouping and the download of the calendar, above the results. */
export function resultsTools(searchID, { grouping, choose }) {
    return element("div", { class: "tools" },
        element("fieldset", { class: "segments" },
            element("legend", {}, "Group by"),
            Object.entries(groupings).map(([name, { label }]) =>
                element("label", {},
                    element("input", {
                        type: "radio", name: "grouping", value: name, checked: name === grouping,
                        onchange: () => choose(name),
                    }),
                    element("span", {}, label)))),
        element("a", {
            class: "button", download: true, href: `/v1/concert-searches/${encodeURIComponent(searchID)}.ics`,
        }, icon("calendar"), "Download calendar"));
}
