import { pages } from "../pages.js";

/** Links to the pages of a section that its first page leads to, from the table that the gateway serves. */
export function linkedPages(section) {
    return pages.filter((page) => page.section === section && page.link)
        .map(({ path, link }) => ({ href: path, picture: link.icon, label: link.label }));
}
