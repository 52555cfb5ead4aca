import { loaded } from "./loading.js";
import { withStyles } from "./style-sheets.js";
import { navigate, setPageLoader } from "./navigate.js";
import { showNavigation } from "./navigation.js";
import { pages } from "../pages.js";
import { problemView } from "../ui/problem-view.js";
import { session } from "./session.js";
import { beginVisit, forgetVisits } from "./visits.js";

/**
 * The pages, from the table that the gateway serves: each domain of the gateway lists its own.
 *
 * A page's module exports `show(view)`. It fills `view.main` at once, with a heading first, and returns the page's
 * title. `view.signal` is aborted when the person leaves the page. `view.parameters` holds the segments of the path
 * that the table marks with a colon, by name. `view.scrollPosition` is what the page stored with `saveScrollPosition`
 * before the person left it, or `null`: the page then scrolls back there, and sets the focus itself.
 */
const routes = pages.map(({ path, module, styles, section, isPublic, ownDocument = false }) => ({
    path: patternOf(path), section, isPublic, ownDocument, load: () => loaded(withStyles(styles, import(module))),
}));
const unknown = { section: null, load: () => loaded(import("./not-found.js")) };

const main = document.getElementById("main");
/** The path of the page that this document is for, if it has its own: a document has one Content-Security-Policy. */
const ownPath = routeOf(location.pathname).ownDocument ? location.pathname : null;
let leaving = new AbortController();
/** How long a page may take to get its content, so that it can be scrolled to where the person was, in milliseconds. */
const growth = 5_000;

/** Shows the page of the current address, and from then on the page of every link that is followed. */
export function startRouter() {
    setPageLoader(show, needsDocument);
    // The browser would restore the scroll position before the page has the rows of a list.
    history.scrollRestoration = "manual";
    document.addEventListener("click", follow);
    addEventListener("popstate", () => show());
    session.addEventListener("change", () => session.user || forgetVisits());
    return show({ isFirst: true });
}

/** Starts loading the module of the current page while the session is still being read. */
export function preloadPage() {
    // Showing the page reports the error.
    routeOf(location.pathname).load().catch(() => {});
}

/** Goes to the sign-in page, which leads back to the current address. */
export function askToSignIn() {
    const wanted = location.pathname + location.search;
    const isWorthIt = !["/", "/feed", "/sign-in"].includes(location.pathname);
    return navigate(isWorthIt ? `/sign-in?next=${encodeURIComponent(wanted)}` : "/sign-in", { replaces: true });
}

/** A parameter is one segment of letters, digits, hyphens, dots and underscores: the same rule as in `SitePages`. */
function patternOf(path) {
    return new RegExp(`^${path.replace(/:(\w+)/g, "(?<$1>[\\w.-]+)")}$`);
}

function routeOf(path) {
    return routes.find((route) => route.path.test(path)) ?? unknown;
}

function needsDocument({ pathname }) {
    return ownPath === null ? Boolean(routeOf(pathname).ownDocument) : pathname !== ownPath;
}

function follow(event) {
    const link = event.target.closest?.("a[href]");
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain || event.defaultPrevented || link.target || link.hasAttribute("download")) return;
    const address = new URL(link.href);
    if (link.getAttribute("href").startsWith("#")) {
        // The skip link. The browser's own handling would fire popstate and load the page again.
        event.preventDefault();
        return document.querySelector(link.hash).focus();
    }
    if (address.origin !== location.origin) return;
    if (!routes.some((route) => route.path.test(address.pathname))) return;
    event.preventDefault();
    navigate(address.href);
}

/** `top` is set when a person returns to a section of the navigation: how far they had scrolled, in pixels. */
async function show({ isFirst = false, top = null } = {}) {
    leaving.abort();
    leaving = new AbortController();
    const { signal } = leaving;
    const scrollPosition = history.state?.scrollPosition ?? null;
    const route = routeOf(location.pathname);
    if (!session.user && !route.isPublic) return askToSignIn();
    beginVisit(route.section, scrollPosition);
    showNavigation(route.section);
    try {
        const page = await route.load();
        if (signal.aborted) return;
        const { groups = {} } = route.path?.exec(location.pathname) ?? {};
        const title = page.show({ main, signal, parameters: groups, scrollPosition });
        document.title = title ? `${title} · Backline` : "Backline";
    } catch (error) {
        if (signal.aborted) return;
        console.error(error);
        main.replaceChildren(problemView(error, () => show()));
        document.title = "Backline";
    }
    if (isFirst || (scrollPosition && top === null)) return;
    // A page with a scroll position scrolls itself.
    if (!scrollPosition) scrollTo(0, 0);
    if (!scrollPosition && top) scrollWhileGrowing(top, signal);
    focusHeading();
}

/** Scrolls there as often as the page grows, until the person scrolls or does something else. */
function scrollWhileGrowing(top, signal) {
    const ending = new AbortController();
    const end = () => ending.abort();
    const sizes = new ResizeObserver(() => scrollTo({ top, behavior: "instant" }));
    for (const input of ["wheel", "touchmove", "pointerdown", "keydown"]) {
        addEventListener(input, end, { signal: ending.signal, passive: true });
    }
    signal.addEventListener("abort", end, { signal: ending.signal });
    const timer = setTimeout(end, growth);
    ending.signal.addEventListener("abort", () => {
        sizes.disconnect();
        clearTimeout(timer);
    });
    sizes.observe(main);
}

/** Moves the focus to the new page's heading, which screen readers then read. */
function focusHeading() {
    const heading = main.querySelector("h1");
    // The page may have set the focus itself.
    if (main.contains(document.activeElement) && document.activeElement !== main) return;
    if (heading) heading.tabIndex = -1;
    (heading ?? main).focus({ preventScroll: true });
}
