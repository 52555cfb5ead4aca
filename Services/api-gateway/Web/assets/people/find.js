import { replaceAddress, saveScrollPosition } from "../shell/navigate.js";
import { announce } from "../ui/announcer.js";
import { element } from "../ui/dom.js";
import { counted, grouped } from "../ui/formats.js";
import { emptyView } from "../ui/problem-view.js";
import { explainIfAlone } from "./alone.js";
import { PeopleList } from "./people-list.js";
import { peopleLinks } from "./people-links.js";
import { followPeople } from "./person-events.js";
import { suggestions } from "./suggestions.js";

/** How long the search waits for the next keystroke, in milliseconds. */
const pause = 350;

/** Finds people by name. Without a name it lists everybody on small installations, and suggests people. */
export function show({ main, signal, scrollPosition }) {
    const field = element("input", {
        type: "search", id: "people-search", autocomplete: "off", autocapitalize: "none", spellcheck: "false",
        maxlength: "200", enterkeyhint: "search", value: new URLSearchParams(location.search).get("q") ?? "",
        oninput: () => wait(pause),
    });
    const suggested = element("div", {}, suggestions({ signal }));
    const heading = element("h2", { hidden: true });
    const status = element("p", { class: "count", role: "status" });
    let [asked, timer] = [null, null];
    const list = new PeopleList({
        label: "People", signal, scrollPosition, onScroll: saveScrollPosition, empty,
        changed: ({ count, isWhole }) => {
            heading.textContent = asked === "" ? "Everybody here" : "People found";
            heading.hidden = count === 0;
            status.textContent = count === 0 ? ""
                : isWhole ? counted(count, "person", "people") : `More than ${grouped(count)} people`;
            if (count === 0 && asked !== "") announce("Nobody found.");
        },
    });
    signal.addEventListener("abort", () => clearTimeout(timer));
    const links = peopleLinks("find");
    const form = element("form", { role: "search", class: "field", onsubmit: (event) => {
        event.preventDefault();
        wait(0);
    } }, element("label", { for: "people-search" }, "Name or username"), field);
    const found = element("section", { class: "detail-list", "aria-label": "People" },
        element("div", { class: "headline" }, heading, status), list.element);
    main.replaceChildren(element("div", { class: "detail" }, links, element("h1", {}, "Find people"), form, suggested,
        found));
    followPeople({
        signal, changed: (person) => list.update(person),
        // The number of searches is limited, and a person who has changed is known.
        outdated: ({ isGone, isLess }) => (isGone ? list.forget() : isLess && list.refresh()),
    });
    search();
    explainIfAlone({ links, parts: [form, suggested, found], signal });
    return "Find people";

    function wait(time) {
        clearTimeout(timer);
        timer = setTimeout(search, time);
    }

    function search() {
        const text = field.value.trim();
        if (text === asked) return;
        asked = text;
        const query = text ? `?${new URLSearchParams({ q: text })}` : "";
        // The search is restored when the person returns from somebody's profile.
        if (location.search !== query) replaceAddress(`/people${query}`);
        suggested.hidden = text !== "";
        list.begin(`/v1/users${query}`);
    }

    function empty({ tooMany }) {
        if (asked !== "") {
            return emptyView({
                picture: "people", title: "Nobody found",
                text: "Check the spelling, or type only the beginning of a name. People with a private profile are not "
                    + "found.",
            });
        }
        if (tooMany) return element("p", { class: "secondary" }, "Type a name to find somebody.");
        return emptyView({
            picture: "people", title: "Nobody to show yet",
            text: "Nobody else is here, or everybody else keeps their profile private.",
        });
    }
}
