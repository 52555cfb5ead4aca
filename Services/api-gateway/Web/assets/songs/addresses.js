/** The address of the page of an item that a service has. `type` is track, album, artist or playlist. */
export function itemAddress(type, { source, sourceId }) {
    return `/explore/${source}/${type}/${sourceId}`;
}

/** The API's path of the same item. */
export function itemPath(type, { source, sourceId }) {
    return `/v1/catalog/${[source, type, sourceId].map(encodeURIComponent).join("/")}`;
}
