import { api } from "../shell/api.js";
import { clockTime } from "../ui/formats.js";

/** The address of the person's latest search and the time it began, or `null` if there is none. */
export async function latestSearch({ signal }) {
    const { items } = await api.get("/v1/concert-searches?limit=1", { signal });
    if (items.length === 0) return null;
    return { address: `/explore/concerts/${items[0].id}`, time: clockTime(items[0].createdAt) };
}
