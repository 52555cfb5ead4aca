import { toast } from "../ui/toast.js";
import { loaded } from "./loading.js";

/**
 * Calls `use(module)` with a module that is being imported, such as that of a sheet which most visits of a page do not
 * open, and resolves to its result. A toast reports that the module could not be loaded; then it resolves to `null`.
 */
export async function whenUsed(importing, use) {
    let module = null;
    try {
        module = await loaded(importing);
    } catch {
        toast("Backline could not be reached. Try again.");
        return null;
    }
    return use(module);
}
