import { api } from "../shell/api.js";
import { nameOf } from "../ui/person-names.js";

/** The longest text of a message, in characters. */
export const longestText = 2_000;

const refusals = {
    messagesRefused: (name) => `${name} does not receive messages from you.`,
    requestPending: (name) => `Your request to ${name} has no answer yet. You can write again once it is accepted.`,
    threadClosed: () => "You can no longer write in this conversation.",
    // The answer to it was lost.
    otherMessage: () => "An earlier version of this message had arrived already. Send it again to add this one.",
    notFound: (name) => `${name} cannot be found, or you may not write to them.`,
};

/**
 * Sends a message: a `text`, a `song` as the API names it, or both. The same message with the same `clientID` is sent
 * only once, however often it is tried. Throws a `Problem`, whose message names the other `person`, if there is one.
 */
export async function sendMessage({ threadID, clientID, person, text, song = null }) {
    try {
        return await api.put(`/v1/threads/${threadID}/messages/${clientID}`, {
            ...(text && { text }), ...(song && { song }),
        });
    } catch (problem) {
        throw explained(problem, person, { isOfSong: song !== null });
    }
}

/** Resolves to the thread of the reader and another person, which is made if there is none. Throws a `Problem`. */
export async function threadWith(person) {
    try {
        return await api.put(`/v1/users/${encodeURIComponent(person.username)}/thread`);
    } catch (problem) {
        throw explained(problem, person);
    }
}

function explained(problem, person, { isOfSong = false } = {}) {
    const sentence = refusals[problem.code];
    // The song may be what was not found.
    if (sentence && !(isOfSong && problem.code === "notFound")) {
        problem.message = sentence(person ? nameOf(person) : "This person");
    }
    return problem;
}
