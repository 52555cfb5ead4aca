import { showDay, showTime } from "../ui/formats.js";

const reasons = {
    announced: () => "Announced",
    onSale: () => "Put on sale",
    moved: (changes) => `Moved ${changes.map(change).filter(Boolean).join(", ")}`.trim(),
    postponed: () => "Postponed; the new date is not known yet",
    cancelled: () => "Cancelled",
    reinstated: () => "Takes place after all",
};

/** What happened to a concert, the latest first: `{at, text}`. A reason of a later gateway is shown as it is. */
export function historyEntries({ history, firstSeenAt }) {
    const entries = history.map(({ reason, at, changes }) => ({ at, text: reasons[reason]?.(changes) ?? reason }));
    const isAnnounced = history.some(({ reason }) => reason === "announced");
    if (firstSeenAt && !isAnnounced) entries.push({ at: firstSeenAt, text: "First found" });
    return entries;
}

/** "from Fri, 11 December 2026 to Sat, 12 December 2026" */
function change({ field, from, to }) {
    const shown = { date: showDay, time: showTime, venue: (text) => text }[field];
    if (!shown || !to) return null;
    return from ? `from ${shown(from)} to ${shown(to)}` : `to ${shown(to)}`;
}
