import { api } from "../shell/api.js";
import { toast } from "../ui/toast.js";

/**
 * Sends a decision about songs, and confirms it with a toast that can undo it. Calls `changed()` after either. Throws a
 * `Problem` if the decision is refused.
 */
export async function decide({ path, body, text, changed }) {
    const { decision } = await api.post(path, body);
    toast(text, {
        undo: async () => {
            await undoDecision(decision);
            await changed();
        },
    });
    await changed();
}

export async function undoDecision(id) {
    await api.delete(`/v1/library/decisions/${id}`);
}
