/// The stand-in for Apple's MusicKit on the Web: the part that an app uses to get a music user token.
///
/// Like the real script, it stores the token in the browser's local storage, opens Apple's page in a separate window,
/// which answers through its opener, and treats a stored token as authorized.
enum SignInScript {
    /// - Parameter origin: the simulator's.
    static func text(origin: String) -> String {
        """
        (() => {
            const site = "\(origin)";
            const folder = `${site}/apple-music-web`;
            let instance = null;

            class MusicKitInstance {
                #key;

                constructor({ developerToken, app }) {
                    if (!developerToken) throw new Error("CONFIGURATION_ERROR: a developer token is needed");
                    Object.assign(this, { developerToken, app });
                    const claims = JSON.parse(atob(developerToken.split(".")[1].replace(/-/g, "+").replace(/_/g, "/")));
                    this.#key = `music.${claims.iss.toLowerCase()}.media-user-token`;
                }

                get musicUserToken() { return localStorage.getItem(this.#key) ?? ""; }

                get isAuthorized() { return this.musicUserToken !== ""; }

                async authorize() {
                    if (this.isAuthorized) return this.musicUserToken;
                    const query = new URLSearchParams({ app: this.app?.name ?? "", token: this.developerToken });
                    const opened = open(`${folder}/authorize?${query}`, "apple-music-authorize", "width=500,height=600");
                    if (!opened) throw new Error("AUTHORIZATION_ERROR: the window was blocked");
                    const token = await answerOf(opened);
                    if (!token) throw new Error("AUTHORIZATION_ERROR: Unauthorized");
                    localStorage.setItem(this.#key, token);
                    return token;
                }

                async unauthorize() {
                    const token = this.musicUserToken;
                    localStorage.removeItem(this.#key);
                    if (!token) return;
                    await fetch(`${folder}/logout`, { method: "POST", mode: "no-cors", body: token });
                }
            }

            /** What the window answers; `null` when it is closed before. */
            function answerOf(opened) {
                return new Promise((resolve) => {
                    const look = setInterval(() => { if (opened.closed) settle(null); }, 250);
                    const hear = ({ origin, source, data }) => {
                        if (origin === site && source === opened) settle(data.token ?? null);
                    };
                    function settle(token) {
                        clearInterval(look);
                        removeEventListener("message", hear);
                        opened.close();
                        resolve(token);
                    }
                    addEventListener("message", hear);
                });
            }

            window.MusicKit = {
                version: "3.0.0-simulated",
                async configure(configuration) {
                    instance = new MusicKitInstance(configuration);
                    return instance;
                },
                getInstance: () => instance,
            };
            document.dispatchEvent(new Event("musickitloaded"));
        })();

        """
    }
}
