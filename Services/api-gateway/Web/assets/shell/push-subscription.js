/** The subscription of this browser to pushes (Push API), or `null`. */
export async function subscription() {
    const registration = await navigator.serviceWorker?.getRegistration("/");
    return await registration?.pushManager?.getSubscription() ?? null;
}

/** Ends it, if there is one. */
export async function unsubscribe() {
    await (await subscription())?.unsubscribe();
}
