import { api } from "./api.js";
import { connection } from "./connection.js";
import { devicePush } from "./device-push.js";
import { followUnread } from "./navigation.js";
import { problemView } from "../ui/problem-view.js";
import { askToSignIn, preloadPage, startRouter } from "./router.js";
import { session } from "./session.js";
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
    devicePush.start();
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
