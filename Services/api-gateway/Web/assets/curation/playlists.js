import { api } from "../shell/api.js";
import { navigate } from "../shell/navigate.js";
import { element } from "../ui/dom.js";
import { FormField } from "../ui/form-field.js";
import { name } from "../ui/list-row.js";
import { savingForm } from "../ui/saving-form.js";
import { formerLists } from "./former-lists.js";
import { showModelChoice } from "./model-choice.js";

/** The form's choices for where the songs of a playlist come from. */
const sources = [
    ["mixed", "My library and new songs"], ["library", "My library"], ["discovery", "New songs"],
];

/** The page where people ask for a playlist, with their earlier ones. */
export function show({ main, signal }) {
    const examples = element("p", { class: "examples" });
    const model = element("div");
    const former = formerLists({ kind: "playlists", title: "Earlier playlists", signal });
    const form = requestForm({ signal, notes: [examples, model] });
    main.replaceChildren(element("div", { class: "ask" },
        element("p", { class: "way" }, element("a", { href: "/explore" }, "← Explore")),
        element("h1", {}, "Make a playlist"), form.element, former.element));
    showExamples(examples, form, signal);
    showModelChoice(model, signal);
    former.load();
    return "Make a playlist";
}

function requestForm({ signal, notes }) {
    const prompt = new FormField({
        name: "prompt", label: "What should it be like?", tag: "textarea", rows: "3", maxlength: "500",
        placeholder: "Rainy Sunday, nothing I heard this month",
    });
    const size = new FormField({
        name: "size", label: "Songs", type: "number", min: "5", max: "100", value: "25", inputmode: "numeric",
    });
    const source = element("select", { id: "playlist-source" },
        sources.map(([value, text]) => element("option", { value }, text)));
    const form = savingForm({
        fields: [prompt, size], signal, refused: prompt, action: "Make it", busy: "Asking …",
        content: [
            element("div", { class: "field" }, element("label", { for: "playlist-source" }, "Songs from"), source),
            ...notes,
        ],
        check: () => prompt.value === "" ? { field: prompt, text: "Describe what the playlist should be like." } : null,
        save: () => api.post("/v1/ai/playlists", {
            prompt: prompt.value, size: Number(size.value) || 25, source: source.value,
        }),
        saved: ({ id }) => navigate(`/explore/playlists/${id}`),
    });
    return { element: form, fill: (text) => {
        prompt.input.value = text;
        prompt.fail("");
        prompt.focus();
    } };
}

/** Shows example prompts that fit the person's own library. */
async function showExamples(container, form, signal) {
    const most = await api.get("/v1/library/tracks?sort=playCount&limit=3", { signal }).catch(() => null);
    const artists = [...new Set((most?.items ?? []).map(({ artist }) => artist))].slice(0, 2);
    const wishes = [...artists.map((artist) => `Songs that go with ${artist}`), "Calm songs I have never played",
        "Rainy Sunday, nothing I heard this month"];
    container.replaceChildren("For example: ", ...wishes.flatMap((wish, index) => [
        index > 0 && " ",
        element("button", { class: "button small", type: "button", onclick: () => form.fill(wish) }, name(wish)),
    ]).filter(Boolean));
}
