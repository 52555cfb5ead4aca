import { FormField } from "../ui/form-field.js";

/** The field for a username. The gateway checks its rules. */
export function usernameField({ value = "", hint = "", ...properties } = {}) {
    return new FormField({
        name: "username", label: "Username", value, autocomplete: "username", maxlength: "30", required: true,
        spellcheck: "false", autocapitalize: "none",
        hint: `2 to 30 characters: letters from a to z, digits, “_” and “.”. ${hint}`.trimEnd(), ...properties,
    });
}
