/**
 * Resolves to a module that is being imported. Loads the document again if its version of the files is gone, as after an
 * upgrade of the gateway.
 */
export async function loaded(module) {
    try {
        return await module;
    } catch (error) {
        if (!await isOutdated()) throw error;
        location.reload();
        return new Promise(() => {});
    }
}

/** Whether the gateway no longer serves this file at its address, which names the version. */
async function isOutdated() {
    try {
        return (await fetch(import.meta.url, { method: "HEAD", cache: "no-store" })).status === 404;
    } catch {
        // The gateway cannot be reached, so nothing is known of its version.
        return false;
    }
}
