import { DataTable } from "./data-table.js";
import { element } from "./dom.js";
import { clockOnly } from "./formats.js";

const namespace = "http://www.w3.org/2000/svg";
const [width, height] = [600, 140];
/** Samples that are more intervals apart than this are not joined by a line: some are missing between them. */
const gap = 2.5;

/**
 * A chart of lines over time. Its summary, the legend's patterns and a table give the same facts as its colors.
 *
 * `lines` are `{ name, value }`, where `value(sample)` is a number or `null`. `write` formats a number.
 */
export class LineChart {
    #lines;
    #write;
    #summary = element("p", { class: "chart-summary" });
    #most = element("span", {});
    #since = element("span", {});
    #paths;
    #plot;
    #numbers;
    #table;
    #samples = [];
    element;

    constructor({ title, lines, write }) {
        this.#lines = lines;
        this.#write = write;
        this.#plot = svgElement("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img" });
        this.#plot.setAttribute("aria-label", title);
        for (const share of [0.25, 0.5, 0.75]) {
            this.#plot.append(svgElement("path", { class: "grid", d: `M0 ${height * share}H${width}` }));
        }
        this.#paths = lines.map((_, index) => svgElement("path", { class: `line line-${index}` }));
        this.#plot.append(...this.#paths);
        this.#numbers = new DataTable({
            caption: `Table of ${title}`, nothing: "Nothing yet", columns: [
                { name: "Time", cell: ([time]) => time },
                ...lines.map(({ name, value }) => ({
                    name, cell: ([, sample]) => value(sample) === null ? "–" : write(value(sample)),
                })),
            ],
        });
        this.#table = element("details", { class: "disclosure", ontoggle: () => this.#table.open && this.#fill() },
            element("summary", {}, "As a table", element("span", { class: "visually-hidden" }, ` of ${title}`)),
            this.#numbers.element);
        this.element = element("figure", { class: "card chart" },
            element("figcaption", {}, element("h3", {}, title), this.#summary),
            lines.length > 1 && this.#legend(),
            element("div", { class: "scale", "aria-hidden": "true" }, this.#most),
            this.#plot,
            element("div", { class: "scale", "aria-hidden": "true" }, this.#since, element("span", {}, "now")),
            this.#table);
    }

    /** Draws the samples, which are oldest first and `intervalSeconds` apart; `at` is the time of each. */
    show(samples, intervalSeconds) {
        this.#samples = samples;
        const times = samples.map((sample) => Date.parse(sample.at));
        const values = this.#lines.map(({ value }) => samples.map(value));
        const top = niceCeiling(Math.max(0, ...values.flat().filter((value) => value !== null)));
        const [from, to] = [times[0], times.at(-1)];
        const x = (time) => to > from ? (time - from) / (to - from) * width : width;
        const y = (value) => height - 1 - value / top * (height - 4);
        this.#paths.forEach((path, index) =>
            path.setAttribute("d", outline(times, values[index], x, y, intervalSeconds * gap * 1_000)));
        this.#most.textContent = this.#write(top);
        const minutes = Math.round((to - from) / 60_000);
        this.#since.textContent = minutes > 0 ? `${minutes} min ago` : "";
        this.#summary.textContent = this.#summarize(values);
        this.#plot.setAttribute("aria-label", this.#summary.textContent);
        if (this.#table.open) this.#fill();
    }

    #summarize(values) {
        return this.#lines.map(({ name }, index) => {
            const known = values[index].filter((value) => value !== null);
            if (known.length === 0) return `${name}: nothing to measure`;
            const last = values[index].at(-1);
            const now = last === null ? "nothing now" : `${this.#write(last)} now`;
            return `${name}: ${now}, ${this.#write(Math.max(...known))} at most`;
        }).join("; ");
    }

    #legend() {
        return element("ul", { class: "legend", "aria-hidden": "true" }, this.#lines.map(({ name }, index) => {
            const sample = svgElement("svg", { viewBox: "0 0 28 8", width: "28", height: "8" });
            sample.append(svgElement("path", { class: `line line-${index}`, d: "M0 4H28" }));
            return element("li", {}, sample, name);
        }));
    }

    /** Fills the table: the newest sample first, and one sample a minute, for a length that people can read. */
    #fill() {
        const minutes = new Map(this.#samples.map((sample) => [clockOnly(sample.at), sample]));
        this.#numbers.show([...minutes].reverse());
    }
}

/** A path through the known values, with a gap where one is missing. */
function outline(times, values, x, y, longest) {
    let path = "";
    let last = null;
    values.forEach((value, index) => {
        if (value === null) {
            last = null;
            return;
        }
        const joins = last !== null && times[index] - last <= longest;
        const point = `${x(times[index]).toFixed(1)} ${y(value).toFixed(1)}`;
        // A very short line with round ends, so that a value without neighbors shows as a dot.
        path += joins ? `L${point}` : `M${point}h0.01`;
        last = times[index];
    });
    return path;
}

/** The end of the scale: 1, 2 or 5 times a power of ten. */
function niceCeiling(value) {
    if (value <= 0) return 1;
    const power = 10 ** Math.floor(Math.log10(value));
    return [1, 2, 5, 10].map((step) => step * power).find((step) => step >= value);
}

function svgElement(tag, attributes) {
    const made = document.createElementNS(namespace, tag);
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
}
