/** What happens to somebody who is suspended. */
export const suspensionText = "They are signed out everywhere, none of their tokens works, and nobody sees them. "
    + "Everything of theirs is kept, and you can reinstate them under Accounts.";
