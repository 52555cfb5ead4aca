/** The address of the page of an artist. */
export function artistAddress(artist) {
    return `/library/artists?${new URLSearchParams({ name: artist })}`;
}

/** "Title by Artist" */
export function songLabel({ title, artist }) {
    return artist ? `${title} by ${artist}` : title;
}
