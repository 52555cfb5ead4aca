/** The style sheets that were added, by their domains: promises, which resolve when they apply. */
const added = new Map();

/**
 * Resolves to a module when the style sheets of these domains apply, so that no page is shown without them. The document
 * has those of its first page (`data-domain`); those of a later page are added.
 */
export async function withStyles(domains, module) {
    const [value] = await Promise.all([module, ...domains.map((domain) => added.get(domain) ?? add(domain))]);
    return value;
}

function add(domain) {
    const links = [...document.querySelectorAll("link[data-domain]")];
    if (links.some((link) => link.dataset.domain === domain)) return null;
    const link = document.createElement("link");
    const adding = new Promise((resolve, reject) => {
        link.onload = resolve;
        link.onerror = () => {
            // The next attempt adds it again.
            link.remove();
            added.delete(domain);
            reject(new Error(`The style sheet of ${domain} could not be loaded.`));
        };
    });
    added.set(domain, adding);
    link.rel = "stylesheet";
    link.href = new URL(`../${domain}/${domain}.css`, import.meta.url).href;
    link.dataset.domain = domain;
    // In the order of their names, whichever page comes first: then the same rule prevails.
    const later = links.find(({ dataset }) => dataset.domain > domain);
    const sheets = document.querySelectorAll("link[rel=stylesheet]");
    if (later) later.before(link);
    else sheets[sheets.length - 1].after(link);
    return adding;
}
