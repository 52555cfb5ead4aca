/** The address of a concert's page. */
export function concertAddress({ id }) {
    return `/concerts/${encodeURIComponent(id)}`;
}

/** "Prague Arena, Praha 9": where a concert is. */
export function concertPlace({ venueName, city }) {
    return [venueName, city].filter(Boolean).join(", ") || "Venue to be announced";
}
