/** What happens to somebody who is suspended. */
export const suspensionText = "They will be signed out everywhere, their tokens will stop working, and nobody will "
    + "see them. Their data is kept, and you can reinstate them under Accounts.";
