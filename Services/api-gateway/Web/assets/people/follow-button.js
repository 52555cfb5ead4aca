import { announce } from "../ui/announcer.js";
import { api } from "../shell/api.js";
import { element, hiddenText } from "../ui/dom.js";
import { messageFor } from "../ui/problem-view.js";
import { toast } from "../ui/toast.js";
import { nameOf, pathOf } from "../ui/person-names.js";

/**
 * The button that follows a person, asks to, or ends that. It is hidden for somebody whose profile the reader may not
 * see: nobody can follow them. `changed(person)` is called with the person as they are after each change, and `gone()`
 * when the reader can no longer see them. A request is sent to its end even if the page is left.
 */
export class FollowButton {
    element = element("button", { type: "button", onclick: () => this.#press() });
    #person;
    #changed;
    #gone;

    constructor(person, { changed = () => {}, gone = () => {} } = {}) {
        [this.#changed, this.#gone] = [changed, gone];
        this.show(person);
    }

    show(person) {
        this.#person = person;
        const { follow, profileVisibility } = person;
        const mustAsk = profileVisibility === "followers";
        const [text, name] = {
            none: [mustAsk ? "Ask to follow" : "Follow", ` ${nameOf(person)}`],
            requested: ["Withdraw request", ` to ${nameOf(person)}`],
            following: ["Unfollow", ` ${nameOf(person)}`],
        }[follow];
        this.element.className = follow === "none" ? "button small primary" : "button small";
        this.element.replaceChildren(text, hiddenText(name));
        this.element.hidden = Boolean(person.isSelf) || follow === "none" && !profileVisibility;
    }

    async #press() {
        // The button keeps the focus while it waits.
        if (this.element.ariaDisabled === "true") return;
        this.element.ariaDisabled = "true";
        try {
            await (this.#person.follow === "none" ? this.#follow() : this.#end());
        } catch (problem) {
            if (problem.status !== 401) toast(messageFor(problem));
            if (problem.status === 404) this.#gone();
        } finally {
            this.element.ariaDisabled = "false";
        }
    }

    async #follow() {
        const { follow } = await api.put(pathOf(this.#person, "/follow"));
        this.#become(follow);
        const name = nameOf(this.#person);
        if (follow === "following") announce(`You follow ${name}.`);
        else toast(`You asked to follow ${name}. They have to accept first.`);
    }

    async #end() {
        const wasRequested = this.#person.follow === "requested";
        await api.delete(pathOf(this.#person, "/follow"));
        this.#become("none");
        const name = nameOf(this.#person);
        if (wasRequested) toast(`Your request to ${name} was withdrawn.`);
        else this.#sayEnded(name);
    }

    /** Offers to undo the end of a follow, where that does not ask the person. */
    #sayEnded(name) {
        const { profileVisibility } = this.#person;
        const said = `You no longer follow ${name}.`;
        if (profileVisibility === "public") toast(said, { undo: () => this.#followAgain() });
        else if (!profileVisibility) toast(said);
        else toast(`${said} If you follow them again, they have to accept first.`);
    }

    async #followAgain() {
        try {
            await this.#follow();
        } catch (problem) {
            throw new Error(messageFor(problem));
        }
    }

    #become(follow) {
        this.show({ ...this.#person, follow });
        this.#changed(this.#person);
    }
}
