import { showNavigation } from "./navigation.js";
import { pages } from "../pages.js";
import { problemView } from "../components/problem-view.js";
import { session } from "./session.js";

/**
 * The pages, of which the domains of the gateway tell. A page's module exports `show(view)`, which fills `view.main`
 * with a first heading at once, and returns its title. `view.signal` is aborted when the page is left;
 * `view.parameters` are the parts of its path that begin with a colon.
 */
const routes = pages.map(({ path, module, section, isPublic }) =>
    ({ path: patternOf(path), section, isPublic, load: () => import(module) }));
const unknown = { section: null, load: () => import("./not-found.js") };

const main = document.getElementById("main");
let leaving = new AbortController();

/** Shows the page of the address bar, and from then on those of the links that are followed. */
export function startRouter() {
    document.addEventListener("click", follow);
    addEventListener("popstate", () => show());
    return show({ isFirst: true });
}

/** Begins to load the module of the address bar's page, which will be needed whoever is signed in. */
export function preloadPage() {
    // What goes wrong is said when the page is shown.
    routeOf(location.pathname).load().catch(() => {});
}

/** Goes to an address of ours; `replaces` leaves no way back to the present one. */
export function navigate(address, { replaces = false } = {}) {
    if (replaces) history.replaceState(null, "", address);
    else history.pushState(null, "", address);
    return show();
}

/** To the sign-in page, and after it back to where somebody wanted to go. */
export function askToSignIn() {
    const wanted = location.pathname + location.search;
    const isWorthIt = !["/", "/feed", "/sign-in"].includes(location.pathname);
    return navigate(isWorthIt ? `/sign-in?next=${encodeURIComponent(wanted)}` : "/sign-in", { replaces: true });
}

/** A parameter is one segment of letters, digits, hyphens and underscores, as the gateway has it. */
function patternOf(path) {
    return new RegExp(`^${path.replace(/:(\w+)/g, "(?<$1>[\\w-]+)")}$`);
}

function routeOf(path) {
    return routes.find((route) => route.path.test(path)) ?? unknown;
}

function follow(event) {
    const link = event.target.closest?.("a[href]");
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
    const address = new URL(link.href);
    if (link.getAttribute("href").startsWith("#")) {
        // The skip link: within this page, which the browser's own way would show anew.
        event.preventDefault();
        return document.querySelector(link.hash).focus();
    }
    if (address.origin !== location.origin) return;
    if (!routes.some((route) => route.path.test(address.pathname))) return;
    event.preventDefault();
    navigate(address.pathname + address.search + address.hash);
}

async function show({ isFirst = false } = {}) {
    leaving.abort();
    leaving = new AbortController();
    const { signal } = leaving;
    const route = routeOf(location.pathname);
    if (!session.user && !route.isPublic) return askToSignIn();
    showNavigation(route.section);
    try {
        const page = await route.load();
        if (signal.aborted) return;
        const { groups = {} } = route.path?.exec(location.pathname) ?? {};
        const title = page.show({ main, signal, parameters: groups });
        document.title = title ? `${title} · Backline` : "Backline";
    } catch (error) {
        if (signal.aborted) return;
        console.error(error);
        main.replaceChildren(problemView(error, () => show()));
        document.title = "Backline";
    }
    if (!isFirst) beginReading();
}

/** A screen reader goes on at the new page's heading, and its words are the new page's announcement. */
function beginReading() {
    scrollTo(0, 0);
    const heading = main.querySelector("h1");
    // A page may have put the focus where it is needed.
    if (main.contains(document.activeElement) && document.activeElement !== main) return;
    if (heading) heading.tabIndex = -1;
    (heading ?? main).focus({ preventScroll: true });
}
