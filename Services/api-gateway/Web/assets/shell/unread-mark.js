import { element, hiddenText } from "../ui/dom.js";

/** The number of new items (`UnreadCount`) at a link: "3", and "3 new" for screen readers. Nothing without any. */
export function unreadMark(unread) {
    const mark = element("span", { class: "unread-mark" });
    const show = () => {
        const { count, isMore } = unread;
        mark.hidden = count === 0;
        if (count === 0) return mark.replaceChildren();
        mark.replaceChildren(element("span", { "aria-hidden": "true" }, isMore ? `${count}+` : String(count)),
            hiddenText(isMore ? ` more than ${count} new` : ` ${count} new`));
    };
    show();
    unread.addEventListener("change", show);
    return mark;
}
