import { onboarding } from "./onboarding.js";
import { usernameQuestion } from "./username-question.js";

/**
 * What a person is asked and shown once: a username where Backline had to make one, and the introduction. `me` is the
 * answer of `/v1/me`. `ended()` is called when one of them disappears, and moves the focus.
 */
export function newcomerCards(me, { signal, ended }) {
    return [
        me.mustChooseUsername && usernameQuestion(me, { signal, answered: ended }),
        me.onboarding && onboarding(me, { ended }),
    ].filter(Boolean);
}
