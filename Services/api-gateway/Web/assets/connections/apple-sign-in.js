import { api } from "../shell/api.js";
import { forgetForeignData, preference, remember } from "../shell/preferences.js";
import { session } from "../shell/session.js";
import { element } from "../ui/dom.js";

/** The preference with the id of the person whose sign-in Apple's script stores in this browser. */
const storedFor = "appleMusicPerson";
const timeoutMilliseconds = 20_000;
/** How long before it expires a developer token is no longer used, in milliseconds. */
const margin = 5 * 60_000;

/**
 * Signing in with Apple, through Apple's MusicKit on the Web. Only this page's document may load that script.
 *
 * The script stores the token that it gets in this browser, and treats it as a sign-in from then on. So everything that
 * it has stored is deleted before anyone signs in: it may belong to another person, or may have expired. After the
 * sign-in it stays until that person signs out of Backline, because `endSignIn` needs it.
 */
export class AppleSignIn {
    #music = null;
    #endsAt = 0;

    /** Whether `signIn` can open Apple's window at once. A browser blocks a window that opens long after the click. */
    get isReady() {
        return this.#music !== null && Date.now() < this.#endsAt - margin;
    }

    /** Loads the script with a new developer token. Throws an error whose message is for people. */
    async prepare(signal) {
        this.#music = null;
        deleteStoredSignIn();
        await this.#load(signal);
    }

    /** Opens Apple's window. Returns the music user token, or `null` if the person did not give access. */
    async signIn() {
        let token;
        try {
            token = await this.#music.authorize();
        } catch {
            return null;
        }
        remember(storedFor, session.user.id);
        return token;
    }

    /** Ends this browser's sign-in with Apple, if there is one. Returns whether there was. */
    async endSignIn(signal) {
        if (preference(storedFor) !== session.user.id) return false;
        await this.#load(signal);
        await limited(this.#music.unauthorize());
        deleteStoredSignIn();
        return true;
    }

    async #load(signal) {
        const { developerToken, expiresAt, scriptURL } =
            await api.post("/v1/setup/apple-music/sign-in", undefined, { signal });
        await limited(script(scriptURL));
        const configured = await limited(
            window.MusicKit.configure({ developerToken, app: { name: "Backline", build: "1" } }));
        this.#music = configured ?? window.MusicKit.getInstance();
        this.#endsAt = Date.parse(expiresAt);
    }
}

function deleteStoredSignIn() {
    forgetForeignData();
    remember(storedFor, null);
}

/** Resolves when Apple's script has run. */
function script(address) {
    if (window.MusicKit) return Promise.resolve();
    return new Promise((resolve, reject) => {
        // The script may dispatch the event some time after it has loaded.
        document.addEventListener("musickitloaded", () => resolve(), { once: true });
        const made = element("script", { src: address, async: true, onerror: () => {
            made.remove();
            reject(failure(blocked));
        } });
        document.head.append(made);
    });
}

/** An error whose message is for people, like a `Problem` of the API. */
function failure(sentence) {
    return Object.assign(new Error(sentence), { name: "Problem", status: 0 });
}

const blocked = "Apple’s sign-in could not be loaded. A content blocker or your network may be blocking it.";

/** Resolves to a promise's value unless it takes too long. Replaces Apple's own errors, which are for programs. */
async function limited(promise) {
    let timer;
    const timeout = new Promise((_, reject) => {
        timer = setTimeout(() => reject(failure(blocked)), timeoutMilliseconds);
    });
    try {
        return await Promise.race([promise, timeout]);
    } catch (error) {
        throw error.name === "Problem" ? error : failure("Apple’s sign-in did not start. Try again later.");
    } finally {
        clearTimeout(timer);
    }
}
