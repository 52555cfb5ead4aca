import { dayHeading } from "../ui/formats.js";

/** How concerts are grouped: the key that a group shares, its heading and rank, and the order of the concerts. */
export const groupings = {
    artist: {
        label: "Artist",
        key: (concert) => concert.artistName,
        heading: (concert) => concert.artistName,
        rank: (concert) => concert.artistRank,
        /** The gateway's own order. */
        sorted: (concerts) => concerts,
    },
    date: {
        label: "Date",
        key: (concert) => knownDate(concert) ?? "",
        heading: (concert) => knownDate(concert) ? dayHeading(knownDate(concert)) : "Date to be announced",
        rank: () => null,
        sorted: (concerts) => concerts.toSorted(byDate),
    },
};

function knownDate({ dateTBA, localDate }) {
    return dateTBA ? null : localDate;
}

/** Unknown dates and times come last. The sort is stable, so that equal ones stay in the order of rank. */
function byDate(first, second) {
    return compare(knownDate(first), knownDate(second)) || compare(clock(first), clock(second));
}

function clock({ timeTBA, localTime }) {
    return timeTBA ? null : localTime;
}

function compare(first, second) {
    if (first === second) return 0;
    if (first === null || second === null) return first === null ? 1 : -1;
    return first < second ? -1 : 1;
}
