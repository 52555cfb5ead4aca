import { api } from "./api.js";
import { connection } from "./connection.js";
import { followUnread } from "./navigation.js";
import { problemView } from "../ui/problem-view.js";
import { preference } from "./preferences.js";
import { unsubscribe } from "./push-subscription.js";
import { askToSignIn, preloadPage, startRouter } from "./router.js";
import { followPerson, session } from "./session.js";
import { acknowledgeShown } from "./shown-notifications.js";
import { followTheme } from "./theme.js";

async function start() {
    try {
        await session.load();
    } catch (problem) {
        const view = problemView(problem, start, { title: "Backline cannot be reached" });
        document.getElementById("main").replaceChildren(view);
        connection.addEventListener("restored", start, { once: true });
        return;
    }
    await startRouter();
    // The benchmark of the pages reads this mark: the first page is shown.
    performance.mark("ready");
    // Not before: the page comes first.
    followUnread();
    acknowledgeShown();
    followSubscription();
}

/** Confirms the pushes to this browser for whoever is signed in, and ends them when they no longer are. */
function followSubscription() {
    followPerson(({ signal }) => {
        // What was under way when the person signed out should not be shown to the next one.
        signal.addEventListener("abort", () => unsubscribe().catch(() => {}));
        // Few browsers have pushes, and only those load the module. After a failure the next start confirms them.
        if (!preference("pushTarget")) return;
        import("./device-push.js").then(({ devicePush }) => devicePush.confirm(signal)).catch(() => {});
    });
}

followTheme();
connection.start();
preloadPage();
api.addEventListener("unauthorized", () => {
    if (!session.user) return;
    session.expire();
    askToSignIn();
});
start();
