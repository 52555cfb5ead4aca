import { element, hiddenText } from "../ui/dom.js";
import { icon } from "../ui/icons.js";
import { UnreadCount } from "./unread-count.js";
import { unreadMark } from "./unread-mark.js";

/** How many notifications are new. */
export const unreadNotifications = new UnreadCount({
    path: "/v1/notifications/unread", kind: "notification", mark: "notificationReadMark",
    keyOf: ({ id }) => id,
    isAbove: ({ number }, mark) => number > mark,
    // A further event of a notification gives it another number, and it may have been counted before.
    isAnother: ({ count, isMore }) => count === 1 && !isMore,
});

/** The link to the notifications, in the header of every page. */
export const bell = element("a", { class: "bell", href: "/notifications" },
    icon("bell"), hiddenText("Notifications"), unreadMark(unreadNotifications));
