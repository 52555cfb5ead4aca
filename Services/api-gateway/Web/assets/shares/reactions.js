import { api } from "../shell/api.js";
import { announce } from "../ui/announcer.js";
import { element, hiddenText } from "../ui/dom.js";
import { grouped } from "../ui/formats.js";
import { icon } from "../ui/icons.js";
import { messageFor } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";

/** The names of the reactions that the API knows. Each has an icon of the same name as in the API. */
export const reactions = { heart: "Heart", fire: "Fire", laugh: "Laugh", wow: "Wow", sad: "Sad", dance: "Dance" };

/**
 * The buttons that react to a share and thank for it. Of their own shares, people see only what others gave.
 * `changed(share)` gets the share after each change.
 */
export class Reactions {
    element;
    #share;
    #changed;
    #buttons;
    #thanks = element("button", { class: "reaction thanks", type: "button", onclick: () => this.#thank() });

    constructor(share, { label, changed = () => {} }) {
        this.#changed = changed;
        this.#buttons = new Map(Object.keys(reactions).map((kind) => [kind, element("button", {
            class: "reaction", type: "button", onclick: () => this.#react(kind),
        })]));
        this.element = element("div", { class: "reactions", role: "group", "aria-label": `Reactions to ${label}` },
            [...this.#buttons.values()], this.#thanks);
        this.show(share);
    }

    /** Shows the share as it is now. What has the focus keeps it. */
    show(share) {
        this.#share = share;
        const { counts = {}, mine = null } = share.reactions ?? {};
        for (const [kind, button] of this.#buttons) {
            const count = counts[kind] ?? 0;
            button.ariaPressed = share.isMine ? null : String(mine === kind);
            // Nobody reacts to their own share.
            button.ariaDisabled = share.isMine ? "true" : null;
            button.hidden = share.isMine && count === 0;
            button.replaceChildren(icon(kind), hiddenText(reactions[kind]),
                count > 0 ? element("span", { class: "reaction-count" }, ` ${grouped(count)}`) : "");
        }
        const { isMine, thanked } = share;
        const thanks = share.reactions?.thanks ?? 0;
        this.#thanks.hidden = isMine && thanks === 0;
        this.#thanks.ariaPressed = isMine ? null : String(thanked);
        this.#thanks.ariaDisabled = isMine ? "true" : null;
        this.#thanks.replaceChildren(isMine ? "Thanks" : thanked ? "You said thanks" : "Say thanks",
            thanks > 0 ? element("span", { class: "reaction-count" }, ` ${grouped(thanks)}`) : "");
        this.element.hidden = [...this.element.children].every((button) => button.hidden);
    }

    #react(kind) {
        const { mine = null, counts = {} } = this.#share.reactions ?? {};
        const isOff = mine === kind;
        const next = { ...counts };
        if (mine) next[mine] = Math.max(0, (next[mine] ?? 1) - 1);
        if (!isOff) next[kind] = (next[kind] ?? 0) + 1;
        const after = { ...this.#share, reactions: { ...this.#share.reactions, counts: next, mine: isOff ? null : kind } };
        return this.#send(
            (path) => isOff ? api.delete(`${path}/reaction`) : api.put(`${path}/reaction`, { reaction: kind }), after,
            isOff ? `Your reaction was removed.` : `You reacted: ${reactions[kind]}.`);
    }

    #thank() {
        const { thanked } = this.#share;
        const thanks = Math.max(0, (this.#share.reactions.thanks ?? 0) + (thanked ? -1 : 1));
        const after = { ...this.#share, thanked: !thanked, reactions: { ...this.#share.reactions, thanks } };
        return this.#send((path) => thanked ? api.delete(`${path}/thanks`) : api.put(`${path}/thanks`), after,
            thanked ? "You withdrew your thanks." : "You said thanks.");
    }

    async #send(request, after, sentence) {
        // One after another: the later press is meant for what the earlier one leads to.
        if (this.element.ariaBusy === "true" || this.#share.isMine) return;
        this.element.ariaBusy = "true";
        try {
            await request(`/v1/shares/${encodeURIComponent(this.#share.id)}`);
            this.show(after);
            this.#changed(after);
            announce(sentence);
        } catch (problem) {
            if (problem.status !== 401) toast(messageFor(problem));
        } finally {
            this.element.ariaBusy = "false";
        }
    }
}
