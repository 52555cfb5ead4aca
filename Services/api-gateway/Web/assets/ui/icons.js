const namespace = "http://www.w3.org/2000/svg";

/** The strokes of each icon, on a grid of 24 × 24. */
const paths = {
    alert: "M12 8v5M12 16.5v.01M10.3 3.9 2.4 17.6A2 2 0 0 0 4.1 20.6h15.8a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0Z",
    album: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 14a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
    bell: "M6 16.5V11a6 6 0 0 1 12 0v5.5l1.5 2h-15ZM10 21h4M12 5V3",
    calendar: "M4 9h16M8 3v4M16 3v4M4 6.5A1.5 1.5 0 0 1 5.5 5h13A1.5 1.5 0 0 1 20 6.5v12a1.5 1.5 0 0 1-1.5 1.5h-13"
        + "A1.5 1.5 0 0 1 4 18.5Z",
    check: "m5 12.5 4.5 4.5L19 7.5",
    clock: "M12 7v5l3 2M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z",
    copy: "M9 9h10v11H9ZM6 15H5V4h10v2",
    cross: "m6 6 12 12M18 6 6 18",
    dance: "M13 5.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM6 7.5l5 2 2 4.5-3 7M13 14l4 2 1 5M11 9.5 17.5 7",
    dash: "M6 12h12",
    down: "m6 9 6 6 6-6",
    download: "M12 4v11M7 11l5 5 5-5M5 20h14",
    explore: "m15.5 8.5-2 5-5 2 2-5 5-2ZM12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Z",
    external: "M14 5h5v5M19 5l-8 8M11 6H6.5A1.5 1.5 0 0 0 5 7.5v10A1.5 1.5 0 0 0 6.5 19h10a1.5 1.5 0 0 0 1.5-1.5V13",
    feed: "M4 5h16v6H4ZM4 15h10M4 19h7",
    fire: "M12 3c1 4 5.5 5.5 5.5 11a5.5 5.5 0 0 1-11 0c0-2.2 1-3.8 2.3-4.8.3 1.7 1 2.5 1.9 2.8C10.5 9 10.3 6 12 3Z",
    grip: "M9 6v.01M15 6v.01M9 12v.01M15 12v.01M9 18v.01M15 18v.01",
    heart: "M12 20S4 14.6 4 9.2A4.2 4.2 0 0 1 12 7a4.2 4.2 0 0 1 8 2.2C20 14.6 12 20 12 20Z",
    home: "m4 11 8-7 8 7M6 9.5V20h12V9.5M10 20v-5h4v5",
    key: "M14.5 13a4.5 4.5 0 1 0-4.3-3.2L4 16v4h4v-2.5h2.5V15l1.7-1.7c.7.3 1.5.4 2.3-.3ZM15.5 8.5v.01",
    laugh: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM8 13.5c.6 2.4 2 3.5 4 3.5s3.4-1.1 4-3.5ZM9 9.5v.01M15 9.5v.01",
    library: "M5 4v16M10 4v16M14.5 5l4 15",
    link: "M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3a4 4 0 0 0 5.7 5.7l1-1",
    merge: "M6 4v4c0 3 6 4 6 8v4M18 4v4c0 3-6 4-6 8",
    message: "M4 5.5h16v11h-9.5L6 20v-3.5H4Z",
    more: "M12 5.5v.01M12 12v.01M12 18.5v.01M11.5 5.5h1M11.5 12h1M11.5 18.5h1",
    music: "M9 18V6l11-2v12M9 18a3 3 0 1 1-6 0 3 3 0 0 1 6 0ZM20 16a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z",
    operations: "M4 19h16M6 15l4-5 3 3 5-7",
    pause: "M8.5 5.5v13M15.5 5.5v13",
    people: "M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 19.5c.6-3.4 3-5 6.5-5s5.9 1.6 6.5 5M16 4.5"
        + "a3.2 3.2 0 0 1 0 6M18 14.8c2 .7 3.2 2.2 3.6 4.7",
    pencil: "M5 19h3.5L19 8.5 15.5 5 5 15.5ZM13 7.5l3.5 3.5",
    pin: "M9 4h6l-1 6 3 3H7l3-3ZM12 13v7",
    play: "M8 5.5v13l10.5-6.5Z",
    playlist: "M4 6h11M4 11h11M4 16h7M17 19a2 2 0 1 1-4 0 2 2 0 0 1 4 0ZM17 19v-8l3 1.5",
    plus: "M12 6v12M6 12h12",
    profile: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c.8-4 3.8-6 7.5-6s6.7 2 7.5 6",
    refresh: "M19 8a8 8 0 1 0 1 6M20 4v4.5h-4.5",
    sad: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM8.5 16.5c.8-1.6 2-2.4 3.5-2.4s2.7.8 3.5 2.4M9 9.5v.01M15 9.5v.01",
    share: "M21 3 10 14M21 3l-7 18-4-7-7-4Z",
    sliders: "M4 7h9M17 7h3M4 17h3M11 17h9M17 7a2 2 0 1 1-4 0 2 2 0 0 1 4 0ZM11 17a2 2 0 1 1-4 0 2 2 0 0 1 4 0Z",
    spark: "M12 3c.8 5.2 3.8 8.2 9 9-5.2.8-8.2 3.8-9 9-.8-5.2-3.8-8.2-9-9 5.2-.8 8.2-3.8 9-9Z",
    split: "M12 4v6c0 3-6 3-6 8v2M12 10c0 3 6 3 6 8v2",
    stop: "M7 7h10v10H7Z",
    ticket: "M4 7h16v3.5a1.5 1.5 0 0 0 0 3V17H4v-3.5a1.5 1.5 0 0 0 0-3ZM14 7v2M14 11v2M14 15v2",
    up: "m6 15 6-6 6 6",
    upload: "M12 16V5M7 9l5-5 5 5M5 20h14",
    waves: "M5 9c5-1.8 10-1.3 14 1M6 13c4-1.4 8-1 11 .9M7.5 16.6c3-1 5.5-.7 8 .7",
    wow: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 17.5a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM9 9.5v.01M15 9.5v.01",
};

/** An icon beside a text that says the same; screen readers skip it. */
export function icon(name) {
    const svg = document.createElementNS(namespace, "svg");
    for (const [attribute, value] of Object.entries({
        class: "icon", viewBox: "0 0 24 24", width: "20", height: "20", "aria-hidden": "true", focusable: "false",
    })) svg.setAttribute(attribute, value);
    const path = document.createElementNS(namespace, "path");
    path.setAttribute("d", paths[name]);
    svg.append(path);
    return svg;
}
