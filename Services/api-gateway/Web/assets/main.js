import { api } from "./api.js";
import { connection } from "./connection.js";
import { problemView } from "./problem-view.js";
import { askToSignIn, startRouter } from "./router.js";
import { session } from "./session.js";
import { followTheme } from "./theme.js";

async function start() {
    try {
        await session.load();
    } catch (problem) {
        document.getElementById("main").replaceChildren(problemView(problem, start, { title: "Backline is not there" }));
        connection.addEventListener("restored", start, { once: true });
        return;
    }
    await startRouter();
    // For measurements: the first page stands.
    performance.mark("ready");
}

followTheme();
connection.start();
api.addEventListener("unauthorized", () => {
    if (!session.user) return;
    session.expire();
    askToSignIn();
});
start();
