/** What people call somebody. */
export function nameOf({ username, displayName }) {
    return displayName ?? username;
}

/** The address of somebody's page. */
export function addressOf({ username }) {
    return `/users/${encodeURIComponent(username)}`;
}

/** The API's address of somebody, and of what belongs to them. */
export function pathOf({ username }, part = "") {
    return `/v1/users/${encodeURIComponent(username)}${part}`;
}
