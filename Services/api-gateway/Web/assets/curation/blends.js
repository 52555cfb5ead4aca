import { api } from "../shell/api.js";
import { EventStream } from "../shell/event-stream.js";
import { navigate } from "../shell/navigate.js";
import { element } from "../ui/dom.js";
import { FormField } from "../ui/form-field.js";
import { name } from "../ui/list-row.js";
import { messageFor } from "../ui/problem-view.js";
import { savingForm } from "../ui/saving-form.js";
import { toast } from "../ui/toast.js";
import { formerLists } from "./former-lists.js";

const states = {
    asking: "You asked. Waiting for an answer.", asked: "Wants to make blends with you.",
    accepted: "You both agree.",
};

/** The page where people make blends, which are playlists of two people's music. */
export function show({ main, signal }) {
    const people = element("section", { class: "detail-list", "aria-labelledby": "blend-people", hidden: true });
    const lists = formerLists({ kind: "blends", title: "Your blends", signal });
    const username = new FormField({
        name: "with", label: "The other person’s username", autocomplete: "off", autocapitalize: "none",
        spellcheck: "false", maxlength: "100",
        hint: "Type it exactly: Backline does not reveal whether a username exists. They are asked once. You both see "
            + "the songs of the blend, and nothing else in each other’s library.",
    });
    const form = savingForm({
        fields: [username], signal, refused: username, action: "Make a blend", busy: "Asking …",
        check: () => username.value === "" ? { field: username, text: "Enter a username." } : null,
        save: () => api.post("/v1/ai/blends", { with: username.value }),
        saved: ({ id }) => navigate(`/explore/blends/${id}`),
    });
    main.replaceChildren(element("div", { class: "ask" },
        element("p", { class: "way" }, element("a", { href: "/explore" }, "← Explore")),
        element("h1", {}, "Blends"), form, people, lists.element));
    const stream = new EventStream({ signal });
    for (const event of ["open", "reset", "blendPartner"]) stream.addEventListener(event, loadPeople, { signal });
    for (const event of ["open", "reset", "curatedList"]) stream.addEventListener(event, lists.load, { signal });
    stream.addEventListener("gone", ({ detail: { kind } }) => {
        // Names are not shown any longer when somebody hides, leaves or blocks.
        const isPerson = kind === "person" || kind === "itemsOf";
        if (isPerson || kind === "blendPartner") loadPeople();
        if (isPerson || kind === "curatedList") lists.load();
    }, { signal });
    loadPeople();
    lists.load();
    return "Blends";

    async function loadPeople() {
        const found = await api.get("/v1/ai/blend-partners", { signal }).catch(() => null);
        if (!found) return;
        people.hidden = found.items.length === 0;
        people.replaceChildren(
            element("h2", { id: "blend-people" }, "People"),
            element("ul", { class: "imports", "aria-labelledby": "blend-people" }, found.items.map(person)));
    }

    function person({ username: who, state }) {
        const address = `/v1/ai/blend-partners/${encodeURIComponent(who)}`;
        const act = (text, said, send) => element("button", { class: "button small", type: "button", onclick: async () => {
            try {
                await send();
                toast(said);
                await loadPeople();
            } catch (problem) {
                if (!signal.aborted && problem.status !== 401) toast(messageFor(problem));
            }
        } }, text);
        const answer = (text, value, said) => act(text, said, () => api.put(address, { answer: value }));
        const end = (text, said) => act(text, said, () => api.delete(address));
        return element("li", { class: "card import" },
            element("h3", {}, name(who)), element("p", { class: "secondary" }, states[state]),
            element("div", { class: "detail-buttons" },
                state === "asked" && [answer("Agree", "accept", `You and ${who} can now make blends.`),
                    answer("Decline", "decline", `${who} will see that you declined.`)],
                state === "asking" && end("Withdraw", "Your request was withdrawn."),
                state === "accepted" && end("End blends", `Blends with ${who} have ended.`),
                state !== "asking" && answer("Block", "block", `${who} is blocked. You no longer see each other.`)));
    }
}
