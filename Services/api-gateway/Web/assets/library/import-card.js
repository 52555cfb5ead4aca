import { element } from "../ui/dom.js";
import { clockTime, counted, grouped } from "../ui/formats.js";

/** The progress or the outcome of an import. `remove(one)` undoes the import. */
export function importCard(one, { remove }) {
    const { filename, state, createdAt, counts } = one;
    // A file that was refused has added nothing.
    const hasRows = state === "complete" || (state === "failed" && counts.new + counts.joined > 0);
    return element("article", { class: "card import", "data-state": state },
        element("h2", {}, element("bdi", {}, filename)),
        element("p", { class: "secondary" }, clockTime(createdAt)),
        outcome(one), skippedRows(one),
        hasRows && element("div", { class: "detail-buttons" },
            element("a", { class: "button", href: "/library" }, "Show your library"),
            element("button", { class: "button", type: "button", onclick: () => remove(one) },
                "Remove this import")));
}

function outcome({ state, counts, error, message }) {
    if (state === "failed") return element("p", { class: "field-error" }, error);
    if (state === "undoing") return element("p", {}, "Removing this import …");
    if (state === "undone") return element("p", {}, "This import was removed.");
    if (state === "queued") return element("p", {}, "Waiting to start …");
    if (state === "running") {
        return [
            element("p", {}, `Reading … ${counted(counts.read, "row")} so far`),
            element("progress", { "aria-label": "Reading the file" }),
        ];
    }
    const parts = [
        `${grouped(counts.new)} new`, counts.joined > 0 && `${grouped(counts.joined)} already in your library`,
        counts.skipped > 0 && `${grouped(counts.skipped)} skipped`,
    ];
    return [
        element("p", {}, `${counted(counts.read, "row")}: ${parts.filter(Boolean).join(", ")}.`),
        message && element("p", {}, message),
    ];
}

/** The rows that were not imported. The API lists the first thousand. */
function skippedRows({ counts, skipped }) {
    if (skipped.length === 0) return null;
    const verb = counts.skipped === 1 ? "was" : "were";
    return element("details", {},
        element("summary", {}, `${counted(counts.skipped, "row")} ${verb} not imported`),
        element("ul", { class: "sentences" }, skipped.map(({ line, reason }) =>
            element("li", {}, `Line ${grouped(line)}: ${reason}`))),
        counts.skipped > skipped.length && element("p", { class: "secondary" },
            `The first ${grouped(skipped.length)} are shown.`));
}
