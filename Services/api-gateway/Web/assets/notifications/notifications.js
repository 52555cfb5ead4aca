import { devicePush } from "../shell/device-push.js";
import { element } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { NotificationList } from "./notification-list.js";

/** What the person was notified of. */
export function show({ main, signal }) {
    const stopped = element("div", {});
    const list = new NotificationList({ signal });
    main.replaceChildren(element("div", { class: "narrow notifications-page" },
        element("div", { class: "headline" }, element("h1", { tabindex: "-1" }, "Notifications"),
            element("a", { class: "settings-link", href: "/profile/notifications" }, "Settings")),
        stopped, list.element));
    devicePush.addEventListener("change", showStopped, { signal });
    showStopped();
    list.begin();
    return "Notifications";

    function showStopped() {
        const isShown = stopped.childElementCount > 0;
        if (isShown === (devicePush.state === "stopped")) return;
        stopped.replaceChildren(...isShown ? [] : [
            element("section", { class: "warnings", "aria-label": "This device" },
                element("div", { class: "warning" }, icon("alert"),
                    element("div", {}, element("h2", {}, "Notifications have stopped on this device"),
                        element("p", {}, "The browser, its push service or another device of yours has ended them."),
                        element("a", { class: "button", href: "/profile/notifications" }, "Switch them on again"))))]);
    }
}
