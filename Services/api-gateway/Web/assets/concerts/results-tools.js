import { element } from "../components/dom.js";
import { groupings } from "./grouping.js";
import { icon } from "../components/icons.js";

/** Above the results: how they are grouped, and all of them for a calendar. */
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
