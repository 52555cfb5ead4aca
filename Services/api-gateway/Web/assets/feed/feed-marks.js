/** Marks in the feed, for `ReadMark`. */
export const feedMarks = {
    path: "/v1/feed/read-mark",
    markOf: ({ sortScore, number }) => ({ score: sortScore, number }),
    isAfter: (mark, other) => mark.score !== other.score ? mark.score > other.score : mark.number > other.number,
};
